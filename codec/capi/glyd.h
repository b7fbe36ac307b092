/* glyd.h - the C interface of libglyd: lossless compression in independent blocks.
 *
 * The file goes from simple to ambitious: compress and decompress what is in memory; the same as streams; reading at
 * an offset. Everything else is options and errors. It needs C89 with <stdint.h>, or C++.
 *
 * Rules that hold for every call:
 *  - The library allocates only objects that it frees itself (glyd_..._free); buffers are the caller's.
 *  - Nothing is printed, no signal is touched, the process is never ended. The threads of an object end with it.
 *  - A call returns a glyd_code: GLYD_OK, or what went wrong; with a glyd_error (may be NULL) also where and why.
 *  - An object is used by one thread at a time; different objects by as many as one likes.
 *  - The same content and options give the same bytes, on every machine and with any number of threads.
 */
#ifndef GLYD_H
#define GLYD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GLYD_API __attribute__((visibility("default")))
#else
#define GLYD_API
#endif

#define GLYD_VERSION "0.1.0"

/* Goes up when a program built against an older header would break. */
#define GLYD_ABI_VERSION 1

GLYD_API const char* glyd_version(void);
/* GLYD_ABI_VERSION of the library in use; a program may compare it with that of its header. */
GLYD_API int glyd_abi_version(void);

/* --- Errors ------------------------------------------------------------------------------------------------------ */

/* 1xx: the call or the machine. 2xx: the input. 3xx: a limit that the caller set. Numbers are never reused. */
typedef enum glyd_code {
  GLYD_OK = 0,
  GLYD_E_INVALID_ARGUMENT = 100,
  GLYD_E_OUT_OF_MEMORY = 101,
  GLYD_E_IO = 102,
  GLYD_E_DESTINATION_TOO_SMALL = 103,
  GLYD_E_WRONG_ORDER = 104,
  GLYD_E_SIZE_MISMATCH = 105,
  GLYD_E_RANGE_OUTSIDE = 106,
  GLYD_E_NOT_SEEKABLE = 107,
  GLYD_E_CANCELLED = 108,
  GLYD_E_NOT_GLYD = 200,
  GLYD_E_UNSUPPORTED_VERSION = 201,
  GLYD_E_UNSUPPORTED_FEATURE = 202,
  GLYD_E_TRUNCATED = 203,
  GLYD_E_CORRUPT = 204,
  GLYD_E_CHECKSUM_MISMATCH = 205,
  GLYD_E_TRAILING_DATA = 206,
  GLYD_E_BASE_NEEDED = 207,
  GLYD_E_MEMORY_LIMIT = 300,
  GLYD_E_OUTPUT_LIMIT = 301
} glyd_code;

/* A short English text for a code; never NULL. */
GLYD_API const char* glyd_code_text(int code);

#define GLYD_NO_OFFSET UINT64_MAX

/* Filled by every call that gets one, also on success (code GLYD_OK, empty text). */
typedef struct glyd_error {
  int code;         /* a glyd_code */
  int system_error; /* errno behind GLYD_E_IO, else 0 */
  uint64_t offset;  /* byte of the input where it went wrong, or GLYD_NO_OFFSET */
  char text[240];   /* one line, without newline, with a closing NUL */
} glyd_error;

/* --- Options ----------------------------------------------------------------------------------------------------- */

#define GLYD_LEVEL_DEFAULT 3
#define GLYD_LEVEL_STRONGEST 19
#define GLYD_LEVEL_LZ4 (-2000) /* LZ4's speed and size */
#define GLYD_UNKNOWN_SIZE UINT64_MAX

/* Set up with glyd_options_init(), then change what should differ. Options that a call has no use for are ignored.
 * Wherever a const glyd_options * is asked for, NULL stands for the defaults. */
typedef struct glyd_options {
  size_t struct_size;    /* sizeof(glyd_options) of the caller's header, so that the struct can grow */
  int level;             /* 1 ... 19 as zstd's; 0: the default; -1 ... -1000: zstd's fast levels; GLYD_LEVEL_LZ4 */
  int window_log;        /* 20 ... 31: find repetitions over 2^n bytes, in blocks of that size; 0: by level */
  unsigned threads;      /* workers; 0: one for each processor */
  uint64_t content_size; /* of the whole stream, when known; GLYD_UNKNOWN_SIZE otherwise. Encoder only */
  uint64_t memory_limit; /* bytes; fewer threads are used to keep it, GLYD_E_MEMORY_LIMIT when one is too much */
  uint64_t output_limit; /* bytes of content a decoder may produce; UINT64_MAX: any number */
} glyd_options;

GLYD_API void glyd_options_init(glyd_options* options);

/* --- In memory --------------------------------------------------------------------------------------------------- */

/* The most bytes that `content_size` bytes of content can become, with any options. */
GLYD_API size_t glyd_compress_bound(size_t content_size);

/* Compresses content to one frame. *frame_size: bytes written. Errors: GLYD_E_DESTINATION_TOO_SMALL,
 * GLYD_E_INVALID_ARGUMENT, GLYD_E_OUT_OF_MEMORY, GLYD_E_MEMORY_LIMIT. */
GLYD_API int glyd_compress(const glyd_options* options, const void* content, size_t content_size, void* frame,
                           size_t frame_capacity, size_t* frame_size, glyd_error* error);

/* Decompresses one or more frames, all of the input. *content_size: bytes written; after an error, bytes that are
 * right and were written before it was met. Errors: any 2xx and 3xx code, GLYD_E_DESTINATION_TOO_SMALL. */
GLYD_API int glyd_decompress(const glyd_options* options, const void* frames, size_t frames_size, void* content,
                             size_t content_capacity, size_t* content_size, glyd_error* error);

/* Content size of a whole file in memory, from its seek tables; nothing is decoded. A damaged or hostile file may
 * state any number: set a limit before allocating by it. */
GLYD_API int glyd_content_size(const void* frames, size_t frames_size, uint64_t* content_size, glyd_error* error);

/* --- Streams ----------------------------------------------------------------------------------------------------- */

/* Bytes from data[position] on are still to be read; a step moves position. */
typedef struct glyd_input {
  const void* data;
  size_t size;
  size_t position;
} glyd_input;

/* Bytes are written to data[position] and after; a step moves position. */
typedef struct glyd_output {
  void* data;
  size_t size;
  size_t position;
} glyd_output;

typedef struct glyd_encoder glyd_encoder;
typedef struct glyd_decoder glyd_decoder;

/* NULL on error: GLYD_E_INVALID_ARGUMENT, GLYD_E_MEMORY_LIMIT, GLYD_E_OUT_OF_MEMORY. */
GLYD_API glyd_encoder* glyd_encoder_new(const glyd_options* options, glyd_error* error);
GLYD_API void glyd_encoder_free(glyd_encoder* encoder); /* NULL is allowed */

/* Takes input and gives output as far as both buffers allow, and works on in its own threads. With `end_of_input`
 * not 0, what is in `input` is the last. *done is set to 1 once all output has been given, else to 0. Call it until
 * then; each call moves at least one of the positions unless input is empty (and not at its end) or output is full.
 * The positions are right also when an error is returned; after one, every further step returns it again. */
GLYD_API int glyd_encoder_step(glyd_encoder* encoder, glyd_input* input, glyd_output* output, int end_of_input,
                               int* done, glyd_error* error);

GLYD_API glyd_decoder* glyd_decoder_new(const glyd_options* options, glyd_error* error);
GLYD_API void glyd_decoder_free(glyd_decoder* decoder);

/* As glyd_encoder_step. Content is given out block by block, each after its checksum was found right; an error is
 * returned after all content before it has been given out. Only *done = 1 says that the input was whole. */
GLYD_API int glyd_decoder_step(glyd_decoder* decoder, glyd_input* input, glyd_output* output, int end_of_input,
                               int* done, glyd_error* error);

/* --- Reading at an offset ---------------------------------------------------------------------------------------- */

/* Fills `destination` with `size` bytes of the file from `offset`. Returns 0, or an errno. */
typedef int (*glyd_read_at)(void* context, uint64_t offset, void* destination, size_t size);

typedef struct glyd_reader glyd_reader;

/* Opens a file of `file_size` bytes by its seek tables. NULL on error. `context` must outlive the reader. */
GLYD_API glyd_reader* glyd_reader_new(const glyd_options* options, glyd_read_at read_at, void* context,
                                      uint64_t file_size, glyd_error* error);
/* The same for a file in memory, which must outlive the reader. */
GLYD_API glyd_reader* glyd_reader_new_memory(const glyd_options* options, const void* file, size_t file_size,
                                             glyd_error* error);
GLYD_API void glyd_reader_free(glyd_reader* reader);

GLYD_API uint64_t glyd_reader_content_size(const glyd_reader* reader);

/* Fills `destination` with `size` bytes of content from `offset`, decoding only the blocks that hold them.
 * Errors: GLYD_E_RANGE_OUTSIDE when the content ends before; any 2xx; GLYD_E_IO from read_at. */
GLYD_API int glyd_reader_read(glyd_reader* reader, uint64_t offset, void* destination, size_t size, glyd_error* error);

#ifdef __cplusplus
}
#endif

#endif /* GLYD_H */
