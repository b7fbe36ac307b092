#pragma once

#include "cli/conversion.h"
#include "cli/failure.h"
#include "cli/input_file.h"
#include "cli/options.h"
#include "codec/codec.h"

// Restoring a part of a glyd file: a range of its content, a tensor, or what damage has left of it. All need a file
// that can be read at any offset.
namespace glyd::cli {

// Writes the range to `sink` and decodes only the blocks that hold it. A range that reaches beyond the
// content is a failure before anything is written.
MaybeFailure restore_range(InputFile& input, const ContentRange& range, const DecodeOptions& options, ByteSink& sink,
                           Meter& meter);

// Writes the bytes of one tensor of the model file that is the content. Decodes the blocks that hold the tensor, and those
// that hold the model file's headers. A name that is not there is a failure before anything is written.
MaybeFailure restore_tensor(InputFile& input, const std::string& name, const DecodeOptions& options, ByteSink& sink,
                            Meter& meter);

// Writes every block that is whole, zeros for those lost between them, and tells `report` what is lost.
// `flaw` is set when something is. Fails when nothing at all is whole.
MaybeFailure restore_whole_blocks(InputFile& input, const DecodeOptions& options, ByteSink& sink, Meter& meter,
                                  Report& report, MaybeFailure& flaw);

// Fails when `input` is a pipe, or a file in one of the other formats that -d reads: `command` needs a glyd
// file.
MaybeFailure refuse_foreign(InputFile& input, const char* command);

}  // namespace glyd::cli
