#include "common/executor/observe/crash_handlers.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/observe/observation_file.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {
namespace {

/// Signals that would end the process. SIGALRM is the executor's own.
constexpr int ends[] = {SIGABRT, SIGILL,  SIGTRAP, SIGSYS,  SIGTERM, SIGINT,
                        SIGHUP,  SIGQUIT, SIGXCPU, SIGPIPE, SIGUSR1, SIGUSR2};

pid_t first_process = 0;
std::atomic<int> came{0};  // the signal
std::atomic<bool> own_doing{false};
sem_t wake;

void sleep_ms(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

/// After a signal from outside the program runs on until the observation is written. When the program itself
/// raised the signal, for example by abort(), its thread cannot go on and waits here.
void handle(int signal, siginfo_t* info, void*) {
  int none = 0;
  const bool first = in_original_process() && came.compare_exchange_strong(none, signal);
  const bool own = info->si_code > 0 || info->si_pid == getpid();
  if (first && own) own_doing = true;
  if (first && own && in_kernel()) {  // no other thread may read its logs
    alarm(10);                        // this thread may hold a lock that the observation needs: then give up
    write_record_before_exit();
  } else if (first) {
    sem_post(&wake);
    for (int i = 0; own && i < 500 && !observation_is_written(); ++i) sleep_ms(10);
  }
  if (own || !in_original_process()) raise(signal);  // comes after the handler, and ends the process
}

/// A separate thread: the interrupted one may hold any lock.
void write_when_woken() {
  while (sem_wait(&wake) != 0) {
  }
  const int signal = came;
  // A running kernel writes the observation itself at its next event; a kernel without further events is left
  // out.
  for (int i = 0; i < 250 && !observation_is_written(); ++i) {
    if (own_doing || !kernel_runs() || i == 100) write_record_before_exit();
    if (!observation_is_written()) sleep_ms(10);
  }
  if (own_doing) return;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

void start_writer() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(write_when_woken).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void catch_signal(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_crash_handlers() {
  first_process = getpid();
  sem_init(&wake, 0, 0);
  start_writer();
  for (const int signal : ends) catch_signal(signal);
}

bool process_is_ending() {
  return came.load(std::memory_order_relaxed) != 0 && !own_doing && in_original_process();
}

void wait_for_process_end() {
  for (;;) sleep_ms(1000);
}

bool in_original_process() {
  return getpid() == first_process;
}

}  // namespace ladder::executor
