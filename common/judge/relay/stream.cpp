#include "common/judge/relay/stream.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "common/base/error.hpp"

namespace ladder::relay {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr int patience = 5;  // seconds for a connection and its key
constexpr std::size_t half_key = 32;

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::strerror(errno));
}

void limit_reading(int socket, int seconds) {
  const timeval time{seconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

std::string read_half(const Stream& stream) {
  std::string half(half_key, '\0');
  stream.read(half.data(), half.size());
  return half;
}

std::string random_hexadecimal(std::size_t digits) {
  std::vector<unsigned char> bytes(digits);
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    fail("no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) text += "0123456789abcdef"[byte % 16];
  return text;
}

/// IPv4 addresses of this machine; the loopback interface's only where there is no other.
std::vector<std::string> own_addresses() {
  std::vector<std::string> found;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) fail("cannot list this machine's addresses");
  for (const ifaddrs* one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP) ||
        one->ifa_flags & IFF_LOOPBACK)
      continue;
    char text[INET_ADDRSTRLEN];
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text, sizeof text);
    found.emplace_back(text);
  }
  ::freeifaddrs(all);
  if (found.empty()) found.emplace_back("127.0.0.1");
  return found;
}

/// @return no descriptor when nothing answers there in time
Descriptor connect_to(const std::string& address, const std::string& port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoul(port)));
  if (::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) return {};
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval time{patience, 0};  // of connect(), too
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return {};
  const timeval none{};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
  return socket;
}

}  // namespace

Stream::Stream(Descriptor socket) : socket_(std::move(socket)) {
  const int on = 1;  // small messages do not wait for an acknowledgement
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void Stream::write(const void* data, std::size_t bytes) const {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::send(socket_.get(), from, bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("cannot send to the other node");
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

void Stream::read(void* data, std::size_t bytes) const {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::recv(socket_.get(), to, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) throw Error("the other node has closed the connection");
    if (n < 0) fail("cannot read from the other node");
    to += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

void Stream::send(const Frame& frame, const void* message, int content) const {
  write(&frame, sizeof frame);
  write(message, frame.bytes);
  std::vector<char> buffer(std::min<std::size_t>(buffer_bytes, frame.content));
  for (std::uint64_t at = 0; at < frame.content;) {
    const std::size_t bytes = std::min<std::uint64_t>(buffer.size(), frame.content - at);
    const ssize_t n = ::pread(content, buffer.data(), bytes, static_cast<off_t>(at));
    if (n <= 0) fail("cannot read what goes to the other node");
    write(buffer.data(), static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

Frame Stream::receive() const {
  Frame frame;
  read(&frame, sizeof frame);
  return frame;
}

std::vector<std::byte> Stream::receive_message(const Frame& frame) const {
  constexpr std::size_t max_message = std::size_t{1} << 16;
  if (frame.kind != Kind::message || frame.bytes > max_message) throw Error("no frame of the relay");
  std::vector<std::byte> message(frame.bytes);
  read(message.data(), message.size());
  return message;
}

void Stream::receive_content(std::uint64_t bytes, int file) const {
  std::vector<char> buffer(std::min<std::size_t>(buffer_bytes, bytes));
  for (std::uint64_t at = 0; at < bytes;) {
    const std::size_t part = std::min<std::uint64_t>(buffer.size(), bytes - at);
    read(buffer.data(), part);
    if (::pwrite(file, buffer.data(), part, static_cast<off_t>(at)) != static_cast<ssize_t>(part))
      fail("cannot take what comes from the other node");
    at += part;
  }
}

std::string text_of(const Meeting& meeting) {
  std::string text = meeting.key + " " + meeting.port;
  for (const std::string& address : meeting.addresses) text += " " + address;
  return text;
}

Meeting meeting_of(const std::string& text) {
  Meeting meeting;
  std::istringstream words(text);
  words >> meeting.key >> meeting.port;
  for (std::string address; words >> address;) meeting.addresses.push_back(address);
  if (meeting.key.size() != 2 * half_key || meeting.addresses.empty())
    throw Error(std::string(meeting_variable) + " does not say where the judge is");
  return meeting;
}

Descriptor listen_on_network(Meeting& meeting) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in own{};
  own.sin_family = AF_INET;
  socklen_t size = sizeof own;
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  if (!socket || ::bind(socket.get(), address, size) != 0 || ::listen(socket.get(), 64) != 0 ||
      ::getsockname(socket.get(), address, &size) != 0)
    fail("cannot listen to other nodes");
  meeting = {random_hexadecimal(2 * half_key), std::to_string(ntohs(own.sin_port)), own_addresses()};
  return socket;
}

Stream accept_rank(int listener, const Meeting& meeting) {
  Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) return {};
  limit_reading(socket.get(), patience);
  Stream stream(std::move(socket));
  try {
    if (read_half(stream) != meeting.key.substr(0, half_key)) return {};
    stream.write(meeting.key.data() + half_key, half_key);
  } catch (const Error&) {
    return {};  // a stranger, who does not stop the ranks that come
  }
  limit_reading(stream.descriptor(), 0);
  return stream;
}

Stream connect_to_judge(const Meeting& meeting) {
  for (const std::string& address : meeting.addresses) {
    Descriptor socket = connect_to(address, meeting.port);
    if (!socket) continue;
    limit_reading(socket.get(), patience);
    Stream stream(std::move(socket));
    try {
      stream.write(meeting.key.data(), half_key);
      if (read_half(stream) != meeting.key.substr(half_key)) continue;
    } catch (const Error&) {
      continue;  // two nodes may each have a network of their own with the same address
    }
    limit_reading(stream.descriptor(), 0);
    return stream;
  }
  throw Error("cannot reach the judge's node at port " + meeting.port + " of any of its addresses");
}

}  // namespace ladder::relay
