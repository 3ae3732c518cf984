// A driver's library for one GPU at 0000:17:00.0 that takes 100 W, and one next to it that has no counter.
#include <chrono>
#include <cstring>

namespace {

int with_counter, without_counter;
constexpr int not_supported = 3, not_found = 6;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  const bool counted = std::strcmp(address, "0000:17:00.0") == 0;
  if (!counted && std::strcmp(address, "0000:18:00.0") != 0) return not_found;
  *device = counted ? &with_counter : &without_counter;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  using namespace std::chrono;
  if (device != &with_counter) return not_supported;
  const double seconds = duration<double>(steady_clock::now().time_since_epoch()).count();
  *millijoules = static_cast<unsigned long long>(1e5 * seconds);
  return 0;
}

const char* nvmlErrorString(int code) {
  return code == not_supported ? "Not Supported" : "Not Found";
}
}
