#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/judge/relay/relay.hpp"
#include "common/judge/relay/stream.hpp"
#include "common/judge/session/shared_memory.hpp"
#include "common/judge/worker/protocol.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder::relay {
namespace {

namespace fs = std::filesystem;

/// The folder of this node that mpirun and all its ranks here share: each rank opens files of the others, in
/// which their messages are (btl vader). @throws Error
fs::path folder_of_ranks() {
  const char* const name = std::getenv("TMPDIR");
  const fs::path folder = name ? name : "";
  struct stat facts {};
  if (::lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != ::getuid())
    throw Error("'" + folder.string() + "' is no folder of this user");
  return folder;
}

constexpr const char* socket_name = "judge-";

/// The last rank that ends on a node leaves nothing there.
void leave(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(socket_name)) return;
  fs::remove_all(folder, ignored);
}

class RankHalf {
 public:
  RankHalf(Stream stream, Channel worker, pid_t process)
      : stream_(std::move(stream)), worker_(std::move(worker)), process_(process) {}

  /// Until the worker or the judge has gone.
  void serve() {
    for (;;) {
      pollfd sources[] = {{stream_.descriptor(), POLLIN, 0},
                          {waits_for_others_ ? -1 : worker_.descriptor(), POLLIN, 0}};
      if (::poll(sources, 2, -1) < 0 && errno != EINTR) return;
      if (sources[0].revents) from_judge_to_worker();
      if (sources[1].revents && !from_worker_to_judge()) return;
    }
  }

 private:
  void from_judge_to_worker() {
    const Frame frame = stream_.receive();
    waits_for_others_ = false;
    if (frame.kind == Kind::take) return send_outputs();
    const std::vector<std::byte> message = stream_.receive_message(frame);
    if (message.size() != sizeof prepare_) return worker_.send(message.data(), message.size());
    std::memcpy(&prepare_, message.data(), sizeof prepare_);
    if (frame.has_memory) {
      inputs_ = SharedMemory("ladder-inputs", prepare_.input_bytes);
      outputs_ = SharedMemory("ladder-outputs", prepare_.output_bytes);
    }
    if (frame.content > inputs_.size()) throw Error("no frame of the relay");
    stream_.read(inputs_.data(), frame.content);
    if (has_arrays(prepare_))
      std::memset(outputs_.data(), static_cast<int>(prepare_.poison), outputs_.size());
    if (!frame.has_memory) return worker_.send(prepare_);
    const Descriptor reader = inputs_.seal();
    const int memory[] = {reader.get(), outputs_.descriptor()};
    worker_.send(prepare_, memory);
  }

  /// @return whether the worker is still there
  bool from_worker_to_judge() {
    std::byte message[1 << 14];
    const auto got = worker_.receive(message, sizeof message);
    if (!got) return false;
    const std::size_t bytes = std::min(got->bytes, sizeof message);
    protocol::Tag tag{};
    std::memcpy(&tag, message, std::min(bytes, sizeof tag));
    if (tag == protocol::Tag::outputs && is_read_on_device()) send_outputs();
    Frame frame{.bytes = static_cast<std::uint32_t>(bytes)};
    if (!got->descriptors.empty()) {
      struct stat facts {};
      if (::fstat(got->descriptors[0].get(), &facts) != 0 || !S_ISREG(facts.st_mode))
        throw Error("what came with the worker's message is no memory");
      frame.has_memory = 1;
      frame.content = static_cast<std::uint64_t>(facts.st_size);
    }
    stream_.send(frame, message, frame.has_memory ? got->descriptors[0].get() : -1);
    waits_for_others_ = tag == protocol::Tag::synchronised;
    return true;
  }

  /// As the judge does on its own node: what is written after all ranks have returned does not count.
  void send_outputs() {
    if (!has_arrays(prepare_)) return;
    ::kill(process_, SIGSTOP);
    stream_.send({.kind = Kind::outputs, .content = prepare_.output_bytes}, nullptr, outputs_.descriptor());
    ::kill(process_, SIGCONT);
  }

  /// Whether outputs come from a device, when the call is over.
  bool is_read_on_device() const {
    if (prepare_.unread) return false;
    for (std::size_t i = 0; i < std::min<std::size_t>(prepare_.arrays, protocol::max_arrays); ++i)
      if (static_cast<Role>(prepare_.array[i].role) == Role::out_on_device) return true;
    return prepare_.resident != 0;
  }

  Stream stream_;
  Channel worker_;
  pid_t process_;
  protocol::Prepare prepare_{};
  SharedMemory inputs_, outputs_;
  bool waits_for_others_ = false;  ///< its worker has returned, and other ranks have not
};

/// What is named by path in the worker's environment is on the judge's node.
void use_folder(const fs::path& folder) {
  for (const char* name : {"XDG_CACHE_HOME", "OMPI_MCA_btl_vader_backing_directory"})
    ::setenv(name, folder.c_str(), 1);
  ::unsetenv(meeting_variable);  // the worker is not to speak for the relay
}

pid_t start_launcher(const std::string& confine, const std::string& socket, const fs::path& folder,
                     const std::vector<std::string>& options) {
  std::vector<std::string> words{confine, socket, "--folder", folder};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw Error(std::string("cannot start a launcher: ") + std::strerror(errno));
  if (process > 0) return process;
  ::signal(SIGTERM, SIG_DFL);
  use_folder(folder);
  ::execv(arguments[0], arguments.data());
  std::fprintf(stderr, "cannot start %s: %s\n", arguments[0], std::strerror(errno));
  ::_exit(127);
}

/// Waits for the end of a worker without judge, and ends one that does not end by itself.
int end_of(pid_t process) {
  constexpr int most_seconds = 10;
  int status = 0;
  for (int i = 0; i < 100 * most_seconds; ++i) {
    if (::waitpid(process, &status, WNOHANG) != 0) return status;
    ::usleep(10'000);
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return status;
}

/// Waits for the launcher's connection. @return none when it has ended without one
Channel connection_of(const Listener& listener, pid_t process) {
  pollfd source{listener.descriptor(), POLLIN, 0};
  while (::poll(&source, 1, 50) <= 0) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid)
      return Channel();
  }
  return listener.accept();
}

}  // namespace

int serve_rank(const std::string& confine, const std::vector<std::string>& options) {
  const char* const where = std::getenv(meeting_variable);
  const fs::path folder = folder_of_ranks();
  Stream stream = connect_to_judge(meeting_of(where ? where : ""));
  ::signal(SIGTERM, SIG_IGN);  // mpirun's; the connection says in time that the judge has gone
  int status = 0;
  {
    const Listener listener(folder / (socket_name + std::to_string(::getpid())));
    const pid_t process = start_launcher(confine, listener.path(), folder, options);
    try {
      Channel worker = connection_of(listener, process);
      if (worker.descriptor() >= 0) RankHalf(std::move(stream), std::move(worker), process).serve();
    } catch (const Error&) {  // the judge has gone: the worker's connection is closed, too
    }
    status = end_of(process);
  }
  leave(folder);
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}

}  // namespace ladder::relay
