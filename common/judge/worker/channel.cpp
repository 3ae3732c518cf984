#include "common/judge/worker/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/base/error.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_descriptors = 4;

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::strerror(errno));
}

/// A socket's address. The kernel takes paths of 107 bytes; a folder for temporary files may have a longer
/// one. Such a socket is addressed by its open folder.
struct Address {
  explicit Address(const std::string& path) {
    std::string shorter = path;
    if (path.size() >= sizeof socket.sun_path) {
      const auto name = path.rfind('/');
      folder = Descriptor(::open(path.substr(0, name).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!folder) fail("cannot open the folder of " + path);
      shorter = "/proc/self/fd/" + std::to_string(folder.get()) + path.substr(name);
    }
    if (shorter.size() >= sizeof socket.sun_path)
      throw Error("the name of the worker's socket is too long: " + path);
    socket.sun_family = AF_UNIX;
    std::memcpy(socket.sun_path, shorter.c_str(), shorter.size() + 1);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&socket); }

  sockaddr_un socket{};
  Descriptor folder{};
};

Descriptor open_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) fail("cannot make a socket");
  return socket;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Channel Channel::connect(const std::string& path) {
  Descriptor socket = open_socket();
  const Address address(path);
  if (::connect(socket.get(), address.get(), sizeof address.socket) != 0)
    fail("cannot reach the judge at " + path);
  return Channel(std::move(socket));
}

void Channel::send(const void* data, std::size_t bytes, std::span<const int> descriptors) const {
  iovec part{const_cast<void*>(data), bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))] = {};
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent;
  do sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent != static_cast<ssize_t>(bytes)) fail("cannot send to the other side");
}

std::optional<Received> Channel::receive(void* data, std::size_t capacity) const {
  iovec part{data, capacity};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))];
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count;
  do count = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return std::nullopt;
  Received received;
  received.bytes = message.msg_flags & MSG_TRUNC ? capacity + 1 : static_cast<std::size_t>(count);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t n = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < n; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      received.descriptors.emplace_back(fd);
    }
  }
  return received;
}

bool Channel::readable() const {
  pollfd source{socket_.get(), POLLIN, 0};
  return ::poll(&source, 1, 0) > 0;
}

pid_t Channel::peer() const {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  return ::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.pid : 0;
}

Listener::Listener(std::string path) : path_(std::move(path)), socket_(open_socket()) {
  const Address address(path_);
  if (::bind(socket_.get(), address.get(), sizeof address.socket) != 0 || ::listen(socket_.get(), 64) != 0)
    fail("cannot listen at " + path_);
}

Listener::~Listener() {
  ::unlink(path_.c_str());
}

Channel Listener::accept() const {
  Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) fail("no worker connected to " + path_);
  return Channel(std::move(socket));
}

}  // namespace ladder
