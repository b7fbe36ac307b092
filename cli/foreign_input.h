#pragma once

#include "cli/conversion.h"
#include "codec/base/limits.h"
#include "codec/stream/byte_source.h"
#include "codec/stream/file_source.h"
#include "codec/stream/foreign_format.h"

// Inputs in the formats of other compressors.
namespace glyd::cli {

// The format that the next bytes of `source` show, kNone for glyd's own and for what nobody knows. Skippable
// frames, which glyd, zstd and lz4 share, are looked past as far as is reasonable. Nothing is taken from the
// source.
Result<ForeignFormat> peek_format(PeekSource& source);

// Writes the content of `source`, which reads from `file`, to `sink`.
Status restore_foreign(ForeignFormat format, const FdSource& file, ByteSource& source, const Limits& limits,
                       ByteSink& sink, Meter& meter);

}  // namespace glyd::cli
