#include "common/device/opencl.hpp"
#include "common/judge/worker.hpp"

namespace ladder {
namespace {

class OpenCl final : public Backend {
 public:
  OpenCl() { device_ = cl::name(cl::device()); }
  const char* name() const override { return "opencl"; }
  std::string device() const override { return device_; }

 private:
  std::string device_;
};

}  // namespace

Backend& backend(int*, char***) {
  static OpenCl opencl;
  return opencl;
}

}  // namespace ladder
