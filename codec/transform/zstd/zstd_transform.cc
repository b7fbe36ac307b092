#include "codec/transform/zstd/zstd_transform.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <new>

namespace glyd {
namespace {

constexpr uint64_t kDecoderMemory = 192 * 1024;
constexpr uint64_t kMiB = 1024 * 1024;

// Both contexts of a worker; each is made when it is first asked for.
struct ZstdState : TransformState {
  ~ZstdState() override {
    ZSTD_freeCCtx(compressor);
    ZSTD_freeDCtx(decompressor);
  }
  static std::unique_ptr<ZstdState> create() { return std::unique_ptr<ZstdState>(new (std::nothrow) ZstdState); }

  ZSTD_CCtx* compressor = nullptr;
  ZSTD_DCtx* decompressor = nullptr;
};

void set_parameters(ZSTD_CCtx* context, const StepParameters& parameters) {
  // These are in range by the planner's checks, so that none of the calls can fail.
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, parameters.level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, parameters.window_log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, parameters.long_distance ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0);
}

Status encode_error(size_t zstd_result) {
  switch (ZSTD_getErrorCode(zstd_result)) {
    case ZSTD_error_dstSize_tooSmall:
      return Status(Code::kDestinationTooSmall);
    case ZSTD_error_memory_allocation:
      return Status(Code::kOutOfMemory, "zstd compression context");
    default:
      return Status(Code::kInvalidArgument, "zstd refused its parameters");
  }
}

}  // namespace

Result<size_t> ZstdTransform::encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                                     Workspace& workspace) const {
  ZstdState* state = workspace.state<ZstdState>(id());
  if (state == nullptr) return Status(Code::kOutOfMemory);
  if (state->compressor == nullptr) state->compressor = ZSTD_createCCtx();
  if (state->compressor == nullptr) return Status(Code::kOutOfMemory, "zstd compression context");
  set_parameters(state->compressor, parameters);
  const size_t size = ZSTD_compress2(state->compressor, output.data(), output.size(), input.data(), input.size());
  if (ZSTD_isError(size)) return encode_error(size);
  return size;
}

Status ZstdTransform::decode(Bytes input, MutableBytes output, Workspace& workspace) const {
  // libzstd also takes concatenated frames, skippable frames and, when built so, frames of its early formats. None
  // of that is in spec.md, and one way to write a block is enough.
  if (input.size() < 4 || load_le<uint32_t>(input.data()) != ZSTD_MAGICNUMBER) {
    return Status(Code::kCorrupt, "zstd: not a frame");
  }
  if (ZSTD_findFrameCompressedSize(input.data(), input.size()) != input.size()) {
    return Status(Code::kCorrupt, "zstd: frame size");
  }
  ZstdState* state = workspace.state<ZstdState>(id());
  if (state == nullptr) return Status(Code::kOutOfMemory);
  if (state->decompressor == nullptr) state->decompressor = ZSTD_createDCtx();
  if (state->decompressor == nullptr) return Status(Code::kOutOfMemory, "zstd decompression context");
  const size_t size =
      ZSTD_decompressDCtx(state->decompressor, output.data(), output.size(), input.data(), input.size());
  if (ZSTD_isError(size)) {
    if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) return Status(Code::kOutOfMemory);
    return Status(Code::kCorrupt, "zstd: damaged frame");
  }
  if (size != output.size()) return Status(Code::kCorrupt, "zstd: content size");
  return {};
}

uint64_t ZstdTransform::encoder_memory(uint64_t block_size, const StepParameters& parameters) const {
  // ZSTD_sizeof_CCtx() after a full block, for libzstd 1.5.4, rounded up; tests/transform checks that it holds.
  const int level = parameters.level;
  const uint64_t tables = level <= 2    ? 2 * kMiB
                          : level <= 4  ? 4 * kMiB
                          : level <= 8  ? 20 * kMiB
                          : level <= 12 ? 40 * kMiB
                          : level <= 15 ? 56 * kMiB
                                        : 112 * kMiB;
  // Long-distance matching adds a table that grows with the window (a 128th of it), and optimal parsing lists.
  const uint64_t far = parameters.long_distance ? 2 * kMiB + (uint64_t{1} << parameters.window_log) / 16 : 0;
  return tables + far + block_size / 64;
}

uint64_t ZstdTransform::decoder_memory(uint64_t /*block_size*/) const {
  return kDecoderMemory;
}

}  // namespace glyd
