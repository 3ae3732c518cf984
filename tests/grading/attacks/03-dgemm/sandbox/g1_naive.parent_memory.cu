// what reads its judge's memory through /proc
// verdict REVIEW
// must opens files
// not opened the memory
#include <fcntl.h>
#include <unistd.h>
#include <string>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const std::string path = "/proc/" + std::to_string(getppid()) + "/mem";
  const int file = open(path.c_str(), O_RDWR);
  if (file >= 0) throw ladder::Error("opened the memory of another");
  honest(p);
}
