#pragma once
/// @file
/// What goes over the network between the two halves of a relay: one on the judge's node, one for each rank.
///
///     rank   first half of the key     judge's side   second half
///     both   Frame, its message, its content         again and again
///
/// A message is one of common/judge/worker/protocol.hpp. Its content is what its file descriptors hold, since
/// memory cannot be shared between machines: inputs go to the rank, outputs, traces and observations come
/// back.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/judge/worker/channel.hpp"

namespace ladder::relay {

enum class Kind : std::uint32_t {
  message = 0x4c414501,
  outputs,  ///< content of the outputs; no message
  take      ///< to the rank: all ranks have returned, so its outputs can be sent; no message
};

struct Frame {
  Kind kind = Kind::message;
  std::uint32_t bytes = 0;       ///< of the message
  std::uint32_t has_memory = 0;  ///< file descriptors came with the message
  std::uint32_t unused = 0;
  std::uint64_t content = 0;  ///< bytes behind the message
};

/// A connection over TCP. Errors and a closed connection are thrown as ladder::Error.
class Stream {
 public:
  Stream() = default;
  explicit Stream(Descriptor socket);
  void write(const void* data, std::size_t bytes) const;
  void read(void* data, std::size_t bytes) const;
  /// Sends a frame, its message, and the first frame.content bytes of the file @p content.
  void send(const Frame& frame, const void* message, int content) const;
  Frame receive() const;
  std::vector<std::byte> receive_message(const Frame& frame) const;
  /// Writes the content that is next to a file, from its beginning.
  void receive_content(std::uint64_t bytes, int file) const;
  int descriptor() const { return socket_.get(); }

 private:
  Descriptor socket_;
};

/// A key that only the processes of this user's job know, and where the judge's side listens.
struct Meeting {
  std::string key;  ///< each side shows a half of it
  std::string port;
  std::vector<std::string> addresses;
};
std::string text_of(const Meeting& meeting);
Meeting meeting_of(const std::string& text);  ///< @throws Error
/// The variable of mpirun's environment that has it as text.
constexpr const char* meeting_variable = "LADDER_RELAY";

/// A listening socket with a free port of all interfaces, and how it is found. @throws Error
Descriptor listen_on_network(Meeting& meeting);
/// Accepts a rank. @return a stream without descriptor when it does not know the key.
Stream accept_rank(int listener, const Meeting& meeting);
/// Tries one address after the other. @throws Error
Stream connect_to_judge(const Meeting& meeting);

}  // namespace ladder::relay
