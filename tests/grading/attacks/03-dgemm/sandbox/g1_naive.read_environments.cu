// what reads the environment of every process
// verdict REVIEW
// must opens files
// not read of an environment
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const auto environment_of = [](const std::string& process) {
    std::ifstream in("/proc/" + process + "/environ");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string mine = environment_of("self");  // its threads have numbers, too
  for (int pid = 1; pid < 40000; ++pid) {
    const std::string text = environment_of(std::to_string(pid));
    if (!text.empty() && text != mine) throw ladder::Error("read of an environment: " + text);
  }
  for (char** own = environ; *own; ++own)
    if (std::strstr(*own, "CANARY")) throw ladder::Error(std::string("read of an environment: ") + *own);
  honest(p);
}
