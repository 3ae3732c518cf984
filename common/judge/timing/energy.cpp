#include "common/judge/timing/energy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/worker/channel.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* closed_counters =
    "the processor's counters (RAPL) are closed to this user; until the next start of the machine "
    "`sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj` opens them";

/// A small file of the kernel. @return errno; 0: read
int read_file(const fs::path& path, std::string& text) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char raw[64];
  const ssize_t got = file ? ::read(file.get(), raw, sizeof raw) : -1;
  if (got < 0) return errno;
  text.assign(raw, static_cast<std::size_t>(got));
  return 0;
}

/// A number of microjoules. @throws Error with the words of `closed_counters`, or the system's
double microjoules(const fs::path& path) {
  std::string text;
  const int error = read_file(path, text);
  if (error == EACCES || error == EPERM) throw Error(closed_counters);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (error != 0 || end == text.c_str())
    throw Error("the processor's counters (RAPL) cannot be read: " + path.string() + ": " +
                (error ? std::strerror(error) : "no number"));
  return value;
}

/// One package. Its counter wraps to 0 after `range` microjoules. That takes minutes, so it wraps at most
/// once in a measurement.
struct Package {
  fs::path file;
  double range, last;
};

class Processor final : public EnergyCounter {
 public:
  explicit Processor(const std::vector<fs::path>& domains) {
    for (const fs::path& domain : domains)
      packages_.push_back({domain / "energy_uj", microjoules(domain / "max_energy_range_uj"),
                           microjoules(domain / "energy_uj")});
  }
  double spent() override {
    double sum = 0;
    for (Package& package : packages_) {
      const double now = microjoules(package.file);
      sum += now >= package.last ? now - package.last : now + package.range - package.last;
      package.last = now;
    }
    return 1e-6 * sum;
  }

 private:
  std::vector<Package> packages_;
};

}  // namespace

OpenedCounter processor_energy(const fs::path& powercap) {
  std::vector<fs::path> packages;
  bool hidden = false;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(powercap, ignored)) {
    if (entry.path().filename().string().rfind("intel-rapl:", 0) != 0) continue;
    // The counter of a package includes its parts (core, dram), and psys includes the packages and more.
    std::string domain;
    if (read_file(entry.path() / "name", domain) != 0)
      hidden = true;
    else if (domain.rfind("package", 0) == 0)
      packages.push_back(entry.path());
  }
  if (packages.empty())
    return {nullptr, hidden ? "a container hides the processor's counters (RAPL)"
                            : "no counters of the processor (RAPL) in " + powercap.string() +
                                  "; a virtual machine seldom has them"};
  try {
    return {std::make_unique<Processor>(packages), ""};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

EnergyMeter energy_meter_of(const PlannedStep& step) {
  static OpenedCounter processor = processor_energy(plan().powercap);
  static std::map<std::string, OpenedCounter> gpus;
  EnergyMeter meter;
  if (runs_on_gpu(step)) {
    if (gpus.count(step.gpu) == 0) gpus[step.gpu] = gpu_energy(plan().nvml, step.gpu);
    const OpenedCounter& gpu = gpus[step.gpu];
    // Without the GPU's joules the CPU's would be the smaller part, and would look like the total.
    if (!gpu.counter) return {{}, "", gpu.reason};
    meter = {{gpu.counter.get()}, "GPU", ""};
  }
  if (processor.counter) {
    meter.counters.push_back(processor.counter.get());
    meter.source += meter.source.empty() ? "processor" : " and processor";
  } else {
    meter.reason = processor.reason;
  }
  return meter;
}

EnergyResult measure_energy(const EnergyMeter& meter, const std::function<double()>& call,
                            double min_seconds) {
  EnergyResult result{.source = meter.source, .reason = meter.reason};
  if (meter.counters.empty()) return result;
  try {
    for (EnergyCounter* counter : meter.counters) counter->spent();
    int calls = 0;
    const Stopwatch watch;
    do result.in_calls += call(), ++calls;
    while (watch.seconds() < min_seconds);
    double joules = 0;
    for (EnergyCounter* counter : meter.counters) joules += counter->spent();
    result.seconds = watch.seconds();
    if (joules > 0)
      result.joules = joules / calls, result.calls = calls;
    else
      result.reason =
          fmt::format("the counter of the {} did not move in {:.1f} s", meter.source, result.seconds);
  } catch (const Failure& failure) {
    result.reason = "a call made for it did not end: " + failure.message;
  } catch (const Error& error) {
    result.reason = error.what();
  }
  return result;
}

}  // namespace ladder
