#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/base/error.hpp"
#include "common/judge/relay/relay.hpp"
#include "common/judge/relay/stream.hpp"
#include "common/judge/worker/protocol.hpp"

namespace ladder::relay {
namespace {

struct Rank {
  Stream stream;
  Channel judge;
  Descriptor inputs{}, outputs{};  ///< memory of the judge
  bool over = false;
};

class JudgeHalf {
 public:
  JudgeHalf(std::string judge, Descriptor listener, Meeting meeting)
      : judge_(std::move(judge)), listener_(std::move(listener)), meeting_(std::move(meeting)) {}

  /// Until the program has ended, whose descriptor becomes readable then.
  void serve_until_end_of(int program) {
    for (;;) {
      std::vector<pollfd> sources{{program, POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      for (const Rank& rank : ranks_) {
        sources.push_back({rank.over ? -1 : rank.stream.descriptor(), POLLIN, 0});
        sources.push_back({rank.over ? -1 : rank.judge.descriptor(), POLLIN, 0});
      }
      if (::poll(sources.data(), sources.size(), -1) < 0 && errno != EINTR) return;
      if (sources[0].revents) return;
      for (std::size_t i = 2; i < sources.size(); ++i)
        if (sources[i].revents) carry(ranks_[(i - 2) / 2], i % 2 == 0);
      if (sources[1].revents) accept();
    }
  }

 private:
  void accept() {
    Stream stream = accept_rank(listener_.get(), meeting_);
    if (stream.descriptor() >= 0) ranks_.push_back({std::move(stream), Channel::connect(judge_)});
  }

  void carry(Rank& rank, bool from_rank) {
    try {
      if (rank.over) return;
      from_rank ? from_rank_to_judge(rank) : from_judge_to_rank(rank);
    } catch (const Error&) {  // one of them has gone: the other one sees that, and says what it means
      rank = {};
      rank.over = true;
    }
  }

  void from_judge_to_rank(Rank& rank) {
    protocol::Prepare message;
    auto got = rank.judge.receive(&message, sizeof message);
    if (!got) throw Error("the judge has closed the connection");
    Frame frame{.bytes = static_cast<std::uint32_t>(got->bytes)};
    if (message.tag == protocol::Tag::prepare) {
      synchronised_ = 0;
      if (got->descriptors.size() == 2) {
        frame.has_memory = 1;
        rank.inputs = std::move(got->descriptors[0]);
        rank.outputs = std::move(got->descriptors[1]);
      }
      frame.content = has_arrays(message) ? message.input_bytes : 0;
    }
    rank.stream.send(frame, &message, rank.inputs.get());
  }

  void from_rank_to_judge(Rank& rank) {
    const Frame frame = rank.stream.receive();
    if (frame.kind == Kind::outputs) return rank.stream.receive_content(frame.content, rank.outputs.get());
    const std::vector<std::byte> message = rank.stream.receive_message(frame);
    if (frame.has_memory) {
      const Descriptor content(::memfd_create("ladder-record", MFD_CLOEXEC));
      rank.stream.receive_content(frame.content, content.get());
      const int descriptor = content.get();
      rank.judge.send(message.data(), message.size(), std::span(&descriptor, 1));
    } else {
      rank.judge.send(message.data(), message.size());
    }
    protocol::Tag tag{};
    std::memcpy(&tag, message.data(), std::min(message.size(), sizeof tag));
    if (tag == protocol::Tag::synchronised && ++synchronised_ == ranks_.size()) take_outputs();
  }

  /// Not before all have returned: the network would carry outputs of one rank next to messages of the
  /// others.
  void take_outputs() {
    for (Rank& rank : ranks_)
      if (!rank.over) rank.stream.send({.kind = Kind::take}, nullptr, -1);
  }

  std::string judge_;
  Descriptor listener_;
  Meeting meeting_;
  std::vector<Rank> ranks_;
  std::size_t synchronised_ = 0;  ///< ranks that have returned from this call
};

int status_of(pid_t program) {
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int serve_ranks(const std::string& judge, char** program) {
  Meeting meeting;
  Descriptor listener = listen_on_network(meeting);
  ::setenv(meeting_variable, text_of(meeting).c_str(), 1);
  const pid_t self = ::getpid(), child = ::fork();
  if (child < 0) throw Error(std::string("cannot start mpirun: ") + std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) ::_exit(126);
    ::execvp(program[0], program);
    std::fprintf(stderr, "cannot start %s: %s\n", program[0], std::strerror(errno));
    ::_exit(127);
  }
  const Descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  JudgeHalf(judge, std::move(listener), std::move(meeting)).serve_until_end_of(end.get());
  return status_of(child);
}

}  // namespace ladder::relay
