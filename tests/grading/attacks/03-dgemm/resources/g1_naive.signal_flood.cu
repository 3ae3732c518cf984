// what has threads that send the process signals without end
// verdict REVIEW
// must (kill)
#include <signal.h>
#include <thread>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static bool begun = false;
  signal(SIGUSR1, [](int) {});
  for (int i = 0; i < 64 && !begun; ++i)
    std::thread([] {
      for (;;) kill(getpid(), SIGUSR1);
    }).detach();
  begun = true;
  honest(p);
}
