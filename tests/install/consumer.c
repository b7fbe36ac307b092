/* A C89 program that uses libglyd as its users do: one-shot, streams, ranges. Exits 0 when all of it works. */
#include <glyd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 100000u

static unsigned char content[SIZE];
static unsigned char restored[SIZE];

static int fail(const char* what, const glyd_error* error) {
  printf("%s: %s\n", what, error->text);
  return 1;
}

/* Gives the content to an encoder in pieces of 777 bytes, and takes what comes out in pieces of 500. */
static int stream_forth(unsigned char* frame, size_t capacity, size_t* frame_size) {
  glyd_error error;
  glyd_input input;
  int done = 0;
  size_t given = 0;
  glyd_encoder* encoder = glyd_encoder_new(NULL, &error);
  if (encoder == NULL) return fail("glyd_encoder_new", &error);
  *frame_size = 0;
  while (!done) {
    glyd_output output;
    input.data = content + given;
    input.size = SIZE - given < 777 ? SIZE - given : 777;
    input.position = 0;
    output.data = frame + *frame_size;
    output.size = capacity - *frame_size < 500 ? capacity - *frame_size : 500;
    output.position = 0;
    if (glyd_encoder_step(encoder, &input, &output, given + input.size == SIZE, &done, &error) != GLYD_OK) {
      glyd_encoder_free(encoder);
      return fail("glyd_encoder_step", &error);
    }
    given += input.position;
    *frame_size += output.position;
  }
  glyd_encoder_free(encoder);
  return given == SIZE ? 0 : 1;
}

static int stream_back(const unsigned char* frame, size_t frame_size) {
  glyd_error error;
  glyd_input input;
  int done = 0;
  size_t total = 0;
  glyd_decoder* decoder = glyd_decoder_new(NULL, &error);
  if (decoder == NULL) return fail("glyd_decoder_new", &error);
  input.data = frame;
  input.size = frame_size;
  input.position = 0;
  while (!done) {
    glyd_output output;
    output.data = restored + total;
    output.size = SIZE - total < 1000 ? SIZE - total : 1000;
    output.position = 0;
    if (glyd_decoder_step(decoder, &input, &output, 1, &done, &error) != GLYD_OK) {
      glyd_decoder_free(decoder);
      return fail("glyd_decoder_step", &error);
    }
    total += output.position;
  }
  glyd_decoder_free(decoder);
  return total == SIZE && memcmp(content, restored, SIZE) == 0 ? 0 : 1;
}

int main(void) {
  glyd_error error;
  glyd_options options;
  glyd_reader* reader;
  size_t i, frame_size = 0, content_size = 0;
  size_t bound = glyd_compress_bound(SIZE);
  unsigned char* frame = malloc(bound);
  unsigned char part[10];
  int status;

  if (frame == NULL) return 1;
  if (glyd_abi_version() != GLYD_ABI_VERSION) return 1;
  for (i = 0; i < SIZE; i++) content[i] = (unsigned char)(i * i / 1000);
  glyd_options_init(&options);
  options.level = 5;
  options.threads = 2;
  if (glyd_compress(&options, content, SIZE, frame, bound, &frame_size, &error) != GLYD_OK) {
    return fail("glyd_compress", &error);
  }
  if (glyd_decompress(NULL, frame, frame_size, restored, SIZE, &content_size, &error) != GLYD_OK) {
    return fail("glyd_decompress", &error);
  }
  if (content_size != SIZE || memcmp(content, restored, SIZE) != 0) return 1;
  memset(restored, 0, SIZE);
  status = stream_back(frame, frame_size);
  if (stream_forth(frame, bound, &frame_size) != 0) return 1;
  memset(restored, 0, SIZE);
  if (stream_back(frame, frame_size) != 0) status = 1;
  reader = glyd_reader_new_memory(NULL, frame, frame_size, &error);
  if (reader == NULL) return fail("glyd_reader_new_memory", &error);
  if (glyd_reader_read(reader, 5000, part, sizeof part, &error) != GLYD_OK) return fail("glyd_reader_read", &error);
  if (memcmp(part, content + 5000, sizeof part) != 0) status = 1;
  glyd_reader_free(reader);
  frame[frame_size / 2] ^= 1;
  if (glyd_decompress(NULL, frame, frame_size, restored, SIZE, &content_size, &error) == GLYD_OK) status = 1;
  free(frame);
  printf("glyd %s: %lu -> %lu bytes, damage found: %s\n", glyd_version(), (unsigned long)SIZE,
         (unsigned long)frame_size, error.text);
  return status;
}
