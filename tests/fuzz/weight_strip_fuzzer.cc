#include <cstdlib>

#include "codec/entropy/weights/weight_packer.h"
#include "codec/entropy/weights/weight_unpacker.h"

namespace {

using namespace glyd::weights;

// Whatever the bytes are: weights or an error, and check() says the same as unpack().
void unpack(glyd::Bytes packed) {
  const auto unpacker = WeightUnpacker::open(packed);
  if (!unpacker.ok()) return;
  const uint64_t size = unpacker->rows_size(unpacker->header().rows);
  if (size > 2 * packed.size()) std::abort();
  std::vector<uint8_t> matrix(size);
  if (unpacker->unpack(matrix).code() != unpacker->check().code()) std::abort();
}

// Short inputs as a matrix, which has to come back. The first four bytes choose layout, options and columns.
void round_trip(glyd::Bytes input) {
  constexpr size_t kMostBytes = 2000;
  if (input.size() < 6 || input.size() > kMostBytes) return;
  PackOptions options;
  options.layout = static_cast<Layout>(input[0] % 3);
  options.code_limit = kMinCodeLimit + input[0] / 3 % 3;
  options.entry_columns = kMinEntryColumns << input[1] % 9;
  const uint64_t columns = 1 + glyd::load_le<uint16_t>(input.data() + 2) % ((input.size() - 4) / 2);
  const uint64_t rows = (input.size() - 4) / 2 / columns;
  const glyd::Bytes matrix = input.subspan(4, rows * columns * 2);
  const auto packed = pack_weights(matrix, rows, columns, options);
  if (!packed.ok()) std::abort();
  const auto unpacker = WeightUnpacker::open(packed->bytes);
  if (!unpacker.ok()) std::abort();
  std::vector<uint8_t> back(matrix.size());
  if (!unpacker->unpack(back).ok() || !std::ranges::equal(back, matrix)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  unpack({data, size});
  round_trip({data, size});
  return 0;
}
