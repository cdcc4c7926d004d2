/* Preloaded into a process: one fdatasync fails with EIO, as a dying disk lets it, and all others do what they are told.

   FAIL_SYNC_AT    which one, counted from 1 over all threads
   FAIL_SYNC_HOW   done: the data is on the disk all the same
                   skipped: it is only in the page cache, and a later sync of the file would write it
                   dropped: the kernel has thrown the pages away; what was not synced before reads as zeros
   FAIL_SYNC_LOG   a file that is told of the failure, and of every later call that syncs or writes the same file: the
                   milliseconds of CLOCK_MONOTONIC, and what happened */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 4096

/* An inode's number comes again after its file is gone; together with its birth it does not. */
struct identity {
  uint64_t inode;
  int64_t born_s;
  uint32_t born_ns;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int syncs;
static int has_failed;
static struct identity failed;
/* A log is written from front to back, over zeros that it wrote ahead: what is not synced begins at the least place that was written since. */
#define NOTHING INT64_MAX
static struct { struct identity file; int64_t unsynced_from; } files[FILES_MAX];
static int file_count;

static struct identity identify(int file) {
  struct statx facts;
  struct identity identity = {0, 0, 0};
  if (statx(file, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &facts) == 0) {
    identity.inode = facts.stx_ino;
    identity.born_s = facts.stx_btime.tv_sec;
    identity.born_ns = facts.stx_btime.tv_nsec;
  }
  return identity;
}

static int same(struct identity one, struct identity other) {
  return one.inode == other.inode && one.born_s == other.born_s && one.born_ns == other.born_ns;
}

static void tell(const char *what) {
  const char *path = getenv("FAIL_SYNC_LOG");
  int log = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log == -1) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  dprintf(log, "%.3f %s\n", now.tv_sec * 1e3 + now.tv_nsec / 1e6, what);
  close(log);
}

static void tell_if_failed(int file, const char *what) {
  if (has_failed && same(identify(file), failed)) tell(what);
}

static int64_t *unsynced_of(int file) {
  struct identity identity = identify(file);
  for (int index = 0; index < file_count; index++)
    if (same(files[index].file, identity)) return &files[index].unsynced_from;
  if (file_count == FILES_MAX) abort();
  files[file_count].file = identity;
  files[file_count].unsynced_from = NOTHING;
  return &files[file_count++].unsynced_from;
}

static void note_write(int file, int64_t offset) {
  pthread_mutex_lock(&mutex);
  int64_t *unsynced_from = unsynced_of(file);
  if (offset < *unsynced_from) *unsynced_from = offset;
  pthread_mutex_unlock(&mutex);
}

static int real_sync(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(file);
}

/* What was written while the sync was under way is lost with the rest. */
static int fail(int file) {
  const char *how = getenv("FAIL_SYNC_HOW");
  struct stat facts;
  has_failed = 1;
  failed = identify(file);
  tell("failed");
  if (how != NULL && strcmp(how, "done") == 0) real_sync("fdatasync", file);
  int64_t from = *unsynced_of(file);
  if (how != NULL && strcmp(how, "dropped") == 0 && from != NOTHING) {
    if (fstat(file, &facts) == -1) abort();
    if (from < facts.st_size && (ftruncate(file, from) == -1 || ftruncate(file, facts.st_size) == -1)) abort();
  }
  errno = EIO;
  return -1;
}

static int fails_now(void) {
  const char *at = getenv("FAIL_SYNC_AT");
  return ++syncs == (at == NULL ? 0 : atoi(at));
}

static int sync_file(const char *name, int file, int may_fail) {
  pthread_mutex_lock(&mutex);
  tell_if_failed(file, "synced again");
  int fails = may_fail && fails_now();
  int result = fails ? fail(file) : 0;
  int64_t *unsynced_from = unsynced_of(file);
  int64_t from = *unsynced_from;
  /* What is written from now on this sync may miss. */
  if (!fails) *unsynced_from = NOTHING;
  pthread_mutex_unlock(&mutex);
  if (fails) return result;
  result = real_sync(name, file);
  if (result == 0) return result;
  note_write(file, from);
  return result;
}

int fdatasync(int file) { return sync_file("fdatasync", file, 1); }

int fsync(int file) { return sync_file("fsync", file, 0); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) =
      (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  tell_if_failed(file, "written again");
  note_write(file, offset);
  return real(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) =
      (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  tell_if_failed(file, "written again");
  note_write(file, offset);
  return real(file, bytes, count, offset);
}
