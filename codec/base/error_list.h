#pragma once

// The one list of errors: X(name, number, text). Numbers are part of the C ABI (codec/capi/glyd.h repeats them
// as GLYD_E_*, and a test compares the two) and are never reused.
//
// The hundreds say whose fault it is, and give the command's exit code: 1xx the call or the machine (exit 1),
// 2xx the input (exit 3), 3xx a limit the user set (exit 4).
#define GLYD_ERROR_LIST(X)                                                                    \
  X(Ok, 0, "no error")                                                                        \
  X(InvalidArgument, 100, "an argument is out of range")                                      \
  X(OutOfMemory, 101, "out of memory")                                                        \
  X(Io, 102, "reading or writing failed")                                                     \
  X(DestinationTooSmall, 103, "the destination buffer is too small")                          \
  X(WrongOrder, 104, "the call does not fit the state of the stream")                         \
  X(SizeMismatch, 105, "the content is not as long as was announced")                         \
  X(RangeOutside, 106, "the range lies outside the content")                                  \
  X(NotSeekable, 107, "the input cannot be read at an offset")                                \
  X(Cancelled, 108, "cancelled")                                                              \
  X(NotGlyd, 200, "not a glyd file")                                                          \
  X(UnsupportedVersion, 201, "written by a newer format version than this program reads")     \
  X(UnsupportedFeature, 202, "uses a transform or flag that this program does not know")      \
  X(Truncated, 203, "the input ends too early")                                               \
  X(Corrupt, 204, "the input is damaged")                                                     \
  X(ChecksumMismatch, 205, "the content does not match its checksum")                         \
  X(TrailingData, 206, "something else follows the end of the compressed data")               \
  X(BaseNeeded, 207, "this file was made against a base file, which is needed to restore it") \
  X(MemoryLimit, 300, "needs more memory than the limit allows")                              \
  X(OutputLimit, 301, "the content is larger than the limit allows")
