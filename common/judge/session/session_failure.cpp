/// @file
/// What is said of a step whose worker has ended, or whose call has failed.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "common/base/process/cgroup.hpp"
#include "common/judge/session/confinement.hpp"
#include "common/judge/session/end_message.hpp"
#include "common/judge/session/kernel_build.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/session/worker_text.hpp"

namespace ladder {
namespace {

constexpr std::string_view kernels_do_not_compile =
    "the kernels do not compile:";  // common/device/opencl.cpp

/// Says of kernels what is said of a step that does not compile: the first error with its line, and what is
/// left of the log.
void tell_build_log(const std::string& log, Failure& failure) {
  if (const std::string error = first_kernel_error(log); !error.empty()) {
    failure.message = std::string(kernels_do_not_compile) + " " + error;
    if (error.find("undeclared") != error.npos)
      failure.details.emplace_back(
          "Think",
          "Is the name spelled as where the kernel declares it? A kernel's text knows no name of "
          "the C++ file around it.");
  }
  if (const std::string rest = rest_of_build_log(log); !rest.empty())
    failure.details.emplace_back("Compiler", rest.substr(0, 3000));
}

/// The question for a CUDA error: its name alone says little, and a GPU reports nothing else.
std::string question_of(const std::string& error) {
  constexpr std::pair<std::string_view, const char*> questions[] = {
      {"cudaErrorInvalidConfiguration",
       "How many blocks and threads does this launch ask for, in this size? At least one "
       "of each, at most 1,024 threads per block; and an integer division drops the remainder."},
      {"cudaErrorInvalidValue",
       "Does each pointer of this call point to allocated memory, on the side that the call expects, and "
       "is that memory as large as the number of bytes?"},
      {"cudaErrorIllegalAddress",
       "A kernel before this call accessed memory that is not its own. Which index could leave its array, or "
       "which pointer is the host's?"},
      {"cudaErrorMemoryAllocation",
       "How many bytes does this call ask for, and what has not been freed yet?"},
  };
  for (const auto& [name, question] : questions)
    if (error.find(name) != std::string::npos) return question;
  return "";
}

}  // namespace

/// Of several ranks: which one it was.
void Session::name_rank(Failure& failure, std::size_t rank, const char* what) const {
  if (ranks_.size() > 1)
    failure.details.emplace_back("Rank", fmt::format("{} of {} {}", rank, ranks_.size(), what));
}

void Session::ended(const char* what, std::optional<std::size_t> rank) {
  // The socket may close a moment before the process is gone.
  for (int i = 0; i < 500 && !child_->poll_end().ended; ++i) ::usleep(2000);
  stop_if_a_kernel_is_a_task();
  const Ending ending = child_->poll_end();
  const auto [line, rest] = last_message(child_->output());
  const bool endless = line.find(": error: the kernel does not finish") != line.npos;
  Failure failure{endless ? Verdict::timeout : Verdict::crashed, "", {}};
  if (launch_.sandboxed && ended_for_memory(plan().sandbox->cgroups) > ended_for_memory_)
    failure.message =
        "used more memory than all programs of a submission may and was ended: which allocation is too "
        "large, or in a loop?";
  else if (!ending.ended)
    failure.message = "closed its connection to the judge before it had " + std::string(what);
  else if (ending.status == 0)
    failure.message = "ended its process with exit code 0 before it had " + std::string(what) +
                      ": a rung returns, it never calls exit";
  else if (!line.empty())
    failure.message = line;
  else
    failure.message = "the process ended with " + ending.text();
  failure.died_by_itself = endless;
  failure.died = ending.ended && WIFSIGNALED(ending.status) && WTERMSIG(ending.status) != SIGKILL &&
                 WTERMSIG(ending.status) != SIGXCPU;
  if (ending.ended && ending.status != 0 && !line.empty())
    failure.details.emplace_back("Ended with", ending.text());
  if (rank) name_rank(failure, *rank, "was the first to end");
  if (!rest.empty()) failure.details.emplace_back("Printed", rest.substr(0, 2000));
  if (launch_.on_gpu && ranks_.front().descriptor() < 0 && is_confined(launch_))
    failure.details.emplace_back("Confined", devices_text(launch_.backend, devices_));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
}

void Session::fail_with(const protocol::Done& done, std::size_t rank) {
  const std::string what = text_of(done.what);
  const auto [line, rest] = first_line(what);
  Failure failure{Verdict::crashed, "", {}};
  switch (done.status) {
    case protocol::Status::not_started:
      throw Failure{Verdict::not_started,
                    "ladder::task() is still in it: write the rung, then delete that line"};
    case protocol::Status::threw:
      stop_if_a_kernel_is_a_task();
      // An error that the harness found when the step had returned says so itself.
      failure.message = (line.starts_with("returned ") ? "" : "threw: ") + line;
      failure.threw = true;
      name_rank(failure, rank, "threw it");
      if (line.ends_with(kernels_do_not_compile)) {
        tell_build_log(rest, failure);
        break;
      }
      if (const std::string question = question_of(line); !question.empty())
        failure.details.emplace_back("Think", question);
      break;
    case protocol::Status::wrote_outside:
      failure = {Verdict::wrong, line, {}};
      name_rank(failure, rank, "wrote it");
      break;
    default:
      throw Failure{Verdict::rejected, "the worker's answer is not one that the harness gives"};
  }
  if (!rest.empty() && !line.ends_with(kernels_do_not_compile))
    failure.details.emplace_back("Details", rest.substr(0, 3000));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
}

}  // namespace ladder
