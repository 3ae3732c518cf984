#include "common/judge/worker.hpp"

namespace ladder {
namespace {

class Cpu final : public Backend {
 public:
  const char* name() const override { return "cpu"; }
  std::string device() const override { return "cpu"; }
};

}  // namespace

Backend& backend(int*, char***) {
  static Cpu cpu;
  return cpu;
}

}  // namespace ladder
