#pragma once
/// @file
/// A Unix socket that keeps message boundaries and passes file descriptors.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// An owned file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// A received message: the number of bytes, and the file descriptors that came with it.
struct Received {
  std::size_t bytes = 0;
  std::vector<Descriptor> descriptors;
};

/// One end of a connection.
class Channel {
 public:
  Channel() = default;
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  /// Connects to the socket at @p path. @throws ladder::Error
  static Channel connect(const std::string& path);

  /// Sends one message. @throws ladder::Error when the other side is gone.
  void send(const void* data, std::size_t bytes, std::span<const int> descriptors = {}) const;
  template <class Message>
  void send(const Message& message, std::span<const int> descriptors = {}) const {
    send(&message, sizeof message, descriptors);
  }

  /// Receives one message; waits for it. A longer one than @p capacity is reported as capacity + 1 bytes.
  /// @return nothing when the other side has closed.
  std::optional<Received> receive(void* data, std::size_t capacity) const;

  /// Whether there is something to receive, or the other side has closed. Does not wait.
  bool readable() const;

  /// The process that has connected; 0: not known.
  pid_t peer() const;

  int descriptor() const { return socket_.get(); }

 private:
  Descriptor socket_;
};

/// The judge's listening end, at a path in a private folder.
class Listener {
 public:
  explicit Listener(std::string path);
  ~Listener();
  Channel accept() const;
  int descriptor() const { return socket_.get(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor socket_;
};

}  // namespace ladder
