/*
 * Faults at the border to the kernel: loaded before libc (LD_PRELOAD), it counts every call that changes a file below a folder,
 * and at a given count kills the process, cuts the write in half and kills it, or answers an error.
 *
 * The page at FAULT_CONTROL is shared with the harness, which reads the count and arms the fault while the process runs:
 * eight 64-bit words, of which
 *   0 count     calls so far
 *   1 at        the first call that fails; 0: none
 *   2 until     the last one; for errors that last
 *   3 mode      1 kill before the call, 2 write half and kill, 3 kill after the call, 4 error, 5 wait (word 5, milliseconds)
 *   4 error     errno of mode 4
 *   6 hits      faults so far
 *   7 kinds     which calls count, as bits: 1 writes, 2 syncs, 4 names and lengths
 * Only files below FAULT_ROOT count; sockets, pipes and logs do not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { COUNT, AT, UNTIL, MODE, ERROR, WAIT, HITS, KINDS };
enum { WRITES = 1, SYNCS = 2, NAMES = 4 };
enum { KILL_BEFORE = 1, TEAR, KILL_AFTER, FAIL, SLOW };

static _Atomic uint64_t *control;
static const char *root;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULT_CONTROL");
  root = getenv("FAULT_ROOT");
  if (!path || !root) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (page != MAP_FAILED) control = page;
}

static int is_ours(const char *path) { return path && root && strncmp(path, root, strlen(root)) == 0; }

/* Whether the descriptor is a file below the root; the kernel's own name of it is asked for. */
static int is_our_file(int fd) {
  char link[32], path[4096];
  if (!control) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0 || path[0] != '/') return 0;
  path[length] = 0;
  return is_ours(path);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts a call; answers what is to happen with it: 0 nothing, or a mode. */
static int fault(unsigned kind) {
  if (!(atomic_load(&control[KINDS]) & kind)) return 0;
  uint64_t count = atomic_fetch_add(&control[COUNT], 1) + 1;
  uint64_t at = atomic_load(&control[AT]);
  if (at == 0 || count < at || count > atomic_load(&control[UNTIL])) return 0;
  atomic_fetch_add(&control[HITS], 1);
  int mode = (int)atomic_load(&control[MODE]);
  if (mode == KILL_BEFORE) die();
  if (mode == SLOW) {
    uint64_t ms = atomic_load(&control[WAIT]);
    struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000L};
    nanosleep(&time, NULL);
    return 0;
  }
  return mode;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define FAILED(mode) \
  if ((mode) == FAIL) { errno = (int)atomic_load(&control[ERROR]); return -1; }

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  int mode = is_our_file(fd) ? fault(WRITES) : 0;
  FAILED(mode);
  if (mode == TEAR) { real(fd, bytes, count / 2); die(); }
  ssize_t done = real(fd, bytes, count);
  if (mode == KILL_AFTER) die();
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  int mode = is_our_file(fd) ? fault(WRITES) : 0;
  FAILED(mode);
  if (mode == TEAR) { if (count > 0) { ssize_t ignored = write(fd, parts[0].iov_base, parts[0].iov_len / 2); (void)ignored; } die(); }
  ssize_t done = real(fd, parts, count);
  if (mode == KILL_AFTER) die();
  return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite64);
  int mode = is_our_file(fd) ? fault(WRITES) : 0;
  FAILED(mode);
  if (mode == TEAR) { real(fd, bytes, count / 2, at); die(); }
  ssize_t done = real(fd, bytes, count, at);
  if (mode == KILL_AFTER) die();
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

#define ON_FILE(result, name, kind, declared, passed, fd) \
  result name declared { \
    REAL(name); \
    int mode = is_our_file(fd) ? fault(kind) : 0; \
    FAILED(mode); \
    if (mode == TEAR) die(); \
    result done = real passed; \
    if (mode == KILL_AFTER) die(); \
    return done; \
  }

#define ON_PATH(name, declared, passed, path) \
  int name declared { \
    REAL(name); \
    int mode = control && is_ours(path) ? fault(NAMES) : 0; \
    FAILED(mode); \
    if (mode == TEAR) die(); \
    int done = real passed; \
    if (mode == KILL_AFTER) die(); \
    return done; \
  }

ON_FILE(int, fsync, SYNCS, (int fd), (fd), fd)
ON_FILE(int, fdatasync, SYNCS, (int fd), (fd), fd)
ON_FILE(int, ftruncate64, NAMES, (int fd, off64_t length), (fd, length), fd)
ON_FILE(int, ftruncate, NAMES, (int fd, off_t length), (fd, length), fd)
ON_FILE(int, fallocate64, NAMES, (int fd, int mode_, off64_t at, off64_t length), (fd, mode_, at, length), fd)
ON_FILE(int, fallocate, NAMES, (int fd, int mode_, off_t at, off_t length), (fd, mode_, at, length), fd)
ON_PATH(rename, (const char *from, const char *to), (from, to), to)
ON_PATH(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), to)
ON_PATH(renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), to)
ON_PATH(link, (const char *from, const char *to), (from, to), to)
ON_PATH(linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), to)
ON_PATH(unlink, (const char *path), (path), path)
ON_PATH(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), path)
ON_PATH(rmdir, (const char *path), (path), path)
ON_PATH(mkdir, (const char *path, mode_t mode_), (path, mode_), path)
