#include "common/judge/session/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/base/error.hpp"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace ladder {

SharedMemory::SharedMemory(const char* name, std::size_t bytes)
    : file_(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(std::max<std::size_t>(bytes, 1)) {
  const auto fail = [&] {
    throw Error("cannot share " + std::to_string(bytes_) + " bytes with a worker: " + std::strerror(errno));
  };
  if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(bytes_)) != 0) fail();
  void* base = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (base == MAP_FAILED) fail();
  base_ = static_cast<std::byte*>(base);
  ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);  // removed pages would end the judge
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept {
  *this = std::move(other);
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (base_) ::munmap(base_, bytes_);
}

Descriptor SharedMemory::seal() {
  // On a kernel without this seal, only the read-only descriptor protects the memory.
  ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
  const std::string path = "/proc/self/fd/" + std::to_string(file_.get());
  Descriptor reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!reader) throw Error(std::string("cannot open shared memory for reading: ") + std::strerror(errno));
  return reader;
}

}  // namespace ladder
