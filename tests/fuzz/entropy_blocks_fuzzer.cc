#include <cstdlib>

#include "codec/entropy/huffman/huffman_block.h"
#include "codec/entropy/rans/rans_block.h"

// The first byte chooses: hostile rANS or Huffman blocks, which all implementations must take alike, or a round trip of the
// rest as symbols. The next two are the number of symbols to decode.
namespace {

using namespace glyd;

void require(bool holds) {
  if (!holds) std::abort();
}

void decode_rans(Bytes block, size_t count) {
  static rans::DecodeTable table;
  std::vector<uint8_t> first(count);
  const Status status = rans::decode_block(block, first, table, rans::Implementation::kScalar);
  for (const rans::Implementation implementation : rans::implementations()) {
    std::vector<uint8_t> symbols(count);
    require(rans::decode_block(block, symbols, table, implementation).code() == status.code());
    require(!status.ok() || symbols == first);
  }
}

void decode_huffman(Bytes block, size_t count) {
  static huffman::DecodeTable table;
  std::vector<uint8_t> symbols(count);
  const Status status = huffman::decode_block(block, symbols, table);
  require(status.ok() || status.code() == Code::kCorrupt);
}

void round_trip(Bytes symbols, unsigned choice) {
  if (symbols.empty()) return;
  const Histogram histogram = count_symbols(symbols);
  std::vector<uint8_t> block(rans::block_bound(symbols.size()));
  const rans::Model model = rans::normalise(histogram, 12 + choice % 3);
  block.resize(rans::encode_block(symbols, model, 8u << (choice / 3 % 3), block));
  std::vector<uint8_t> decoded(symbols.size());
  rans::DecodeTable rans_table;
  require(rans::decode_block(block, decoded, rans_table).ok());
  require(std::equal(decoded.begin(), decoded.end(), symbols.begin()));

  block.resize(huffman::block_bound(symbols.size()));
  const huffman::BlockCode code = huffman::make_code(histogram, 8 + choice % 5);
  block.resize(huffman::encode_block(symbols, code, block));
  huffman::DecodeTable huffman_table;
  require(huffman::decode_block(block, decoded, huffman_table).ok());
  require(std::equal(decoded.begin(), decoded.end(), symbols.begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const size_t count = load_le<uint16_t>(data + 1) % 5000;
  const Bytes rest(data + 3, size - 3);
  switch (data[0] % 3) {
    case 0:
      decode_rans(rest, count);
      break;
    case 1:
      decode_huffman(rest, count);
      break;
    default:
      round_trip(rest, data[0] / 3u);
  }
  return 0;
}
