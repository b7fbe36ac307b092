/* Runs one command and writes what it cost to a report file. bench/compare starts every measured command through it.
 *
 *     run_measured REPORT PROGRAM [ARGUMENT...]
 *
 * The report is one line: wall nanoseconds, user and system microseconds of processor time, peak resident memory in
 * KiB, exit status (128 + n when signal n ended the command). Standard streams are the command's own.
 *
 * Why a program of its own: Linux counts the memory that a process held before exec into its peak (ru_maxrss), so a
 * command started straight from Python can never appear smaller than Python. This program is small and statically
 * linked, so what it adds is a few hundred KiB. For the same reason starting from here costs little time. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;

static long long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(const struct timeval* time) {
  return (long long)time->tv_sec * 1000000LL + time->tv_usec;
}

static int write_report(const char* path, long long wall, const struct rusage* usage, int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE* report = fopen(path, "w");
  if (report == NULL) {
    fprintf(stderr, "run_measured: cannot write the report %s: %s\n", path, strerror(errno));
    return 1;
  }
  fprintf(report, "%lld %lld %lld %ld %d\n", wall, microseconds(&usage->ru_utime), microseconds(&usage->ru_stime),
          usage->ru_maxrss, code);
  if (fclose(report) != 0) {
    fprintf(stderr, "run_measured: cannot write the report %s: %s\n", path, strerror(errno));
    return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: run_measured REPORT PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  const long long start = nanoseconds_now();
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ);
  if (error != 0) {
    fprintf(stderr, "run_measured: cannot start %s: %s\n", argv[2], strerror(error));
    return 1;
  }
  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      fprintf(stderr, "run_measured: cannot wait for %s: %s\n", argv[2], strerror(errno));
      return 1;
    }
  }
  return write_report(argv[1], nanoseconds_now() - start, &usage, status);
}
