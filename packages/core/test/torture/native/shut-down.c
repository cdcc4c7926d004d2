/* shut-down <directory>: the file system of the directory loses all that was not synced, as in a power cut, and answers
   EIO from now on. FS_IOC_SHUTDOWN with NOLOGFLUSH; ext4 and xfs know it. Needs CAP_SYS_ADMIN. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define SHUTDOWN _IOR('X', 125, uint32_t)

int main(int count, char **arguments) {
  uint32_t no_log_flush = 2;
  int directory = count == 2 ? open(arguments[1], O_RDONLY | O_DIRECTORY) : -1;
  if (directory == -1 || ioctl(directory, SHUTDOWN, &no_log_flush) == -1) {
    perror("shut-down");
    return 1;
  }
  return 0;
}
