#include "common/executor/runtime/block/repeated_state.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <map>

namespace ladder::executor {
#if defined(__x86_64__)
namespace {

struct Sample {
  std::uintptr_t code;
  std::uint64_t registers;  ///< a hash
};

Sample sample;
std::atomic<bool> sampled{false};

std::uint64_t hash_of(const void* bytes, std::size_t count, std::uint64_t hash) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ at[i]) * 0x100000001B3u;
  return hash;
}

void take_sample(int, siginfo_t*, void* context) {
  const auto* c = static_cast<const ucontext_t*>(context);
  const greg_t* registers = c->uc_mcontext.gregs;
  std::uint64_t hash = hash_of(registers, sizeof(greg_t) * (REG_RIP + 1), 0xCBF29CE484222325u);
  hash = hash_of(&registers[REG_EFL], sizeof(greg_t), hash);
  if (c->uc_mcontext.fpregs)
    hash = hash_of(c->uc_mcontext.fpregs->_xmm, sizeof c->uc_mcontext.fpregs->_xmm, hash);
  sample = {static_cast<std::uintptr_t>(registers[REG_RIP]), hash};
  sampled.store(true, std::memory_order_release);
}

bool look_at(pthread_t thread, int signal) {
  sampled = false;
  if (pthread_kill(thread, signal) != 0) return false;
  for (int i = 0; i < 200 && !sampled.load(std::memory_order_acquire); ++i) usleep(100);
  return sampled;
}

}  // namespace

bool is_in_endless_loop(pthread_t thread) {
  constexpr int samples = 400, enough = 100;
  const int signal = SIGRTMIN + 8;
  struct sigaction action {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
  struct Seen {
    std::uint64_t registers;
    int times;
  };
  std::map<std::uintptr_t, Seen> seen;  // by the instruction
  int again = 0;
  bool same = true;
  for (int i = 0; i < samples && same; ++i) {
    if (!look_at(thread, signal)) continue;
    const auto [place, first] = seen.try_emplace(sample.code, Seen{sample.registers, 0});
    same = place->second.registers == sample.registers;
    again += !first;
    usleep(200);
  }
  // The handler stays: a signal may still be in flight.
  return same && again >= enough;
}
#else
bool is_in_endless_loop(pthread_t) {
  return false;
}
#endif
}  // namespace ladder::executor
