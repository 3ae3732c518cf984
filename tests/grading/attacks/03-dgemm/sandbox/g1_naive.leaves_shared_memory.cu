// what leaves shared memory behind
// verdict REVIEW
// must (shmget)
// must (shm_open)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  shmget(0x6abe5de7, 4096, IPC_CREAT | 0666);
  shm_open("/ladder-attack", O_CREAT | O_RDWR, 0666);
  honest(p);
}
