/* Makes every fsync and fdatasync of a process take longer, as on another disk: cc -shared -fPIC -o slow-sync.so slow-sync.c -ldl
 * LD_PRELOAD=./slow-sync.so SLOW_SYNC_MICROSECONDS=1000 node … */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void delay(void) {
  const char *text = getenv("SLOW_SYNC_MICROSECONDS");
  long microseconds = text == NULL ? 0 : atol(text);
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

int fsync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return real(file);
}
