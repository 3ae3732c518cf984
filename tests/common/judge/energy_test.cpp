// Energy: planted files of the kernel, a planted driver, and the rule that makes joules a call of them.
// Guards: docs/measuring.md#what-a-number-means

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "common/judge/session/session.hpp"
#include "common/judge/timing/energy.hpp"
#include "tests/common/judge/judged.hpp"

using namespace ladder;
using namespace ladder::test;

namespace {

const std::string fake_nvml = build + "/lib/libladder-fake-nvml.so";

void plant(const fs::path& domain, const std::string& name, const std::string& microjoules) {
  fs::create_directories(domain);
  std::ofstream(domain / "name") << name << "\n";
  std::ofstream(domain / "max_energy_range_uj") << "262143328850\n";
  std::ofstream(domain / "energy_uj") << microjoules << "\n";
}

/// The reason that somebody without rights gets.
std::string reason_as_nobody(const fs::path& powercap) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && ::setuid(65534) != 0) ::_exit(1);
    const std::string reason = processor_energy(powercap).reason;
    ::_exit(::write(ends[1], reason.data(), reason.size()) < 0);
  }
  ::close(ends[1]);
  char text[1000];
  const ssize_t got = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return {text, static_cast<std::size_t>(got < 0 ? 0 : got)};
}

/// A counter that goes up by what it is told.
struct Planted final : EnergyCounter {
  double next = 0;
  double spent() override { return next; }
};

}  // namespace

TEST_CASE("energy: all packages are added, their parts and the platform are not") {
  const Scratch scratch;
  plant(scratch.path / "intel-rapl:0", "package-0", "1000000");
  plant(scratch.path / "intel-rapl:0:0", "core", "1");
  plant(scratch.path / "intel-rapl:1", "package-1", "5000000");
  plant(scratch.path / "intel-rapl:2", "psys", "1");
  plant(scratch.path / "intel-rapl-mmio:0", "package-0", "1");  // the same package by another way
  const OpenedCounter opened = processor_energy(scratch.path);
  REQUIRE(opened.counter);
  for (const char* name : {"intel-rapl:0:0", "intel-rapl:2", "intel-rapl-mmio:0"})
    plant(scratch.path / name, "moved", "900000000");
  plant(scratch.path / "intel-rapl:0", "package-0", "3500000");
  plant(scratch.path / "intel-rapl:1", "package-1", "5250000");
  CHECK(opened.counter->spent() == Approx(2.75));
  CHECK(opened.counter->spent() == 0);
}

TEST_CASE("energy: a counter that begins again at zero has gone on") {
  const Scratch scratch;
  plant(scratch.path / "intel-rapl:0", "package-0", "262143000000");
  const OpenedCounter opened = processor_energy(scratch.path);
  REQUIRE(opened.counter);
  plant(scratch.path / "intel-rapl:0", "package-0", "671150");
  CHECK(opened.counter->spent() == Approx(1.0));
}

TEST_CASE("energy: why nothing is read") {
  const Scratch scratch;
  fs::permissions(scratch.path, fs::perms(0755));
  CHECK(contains(processor_energy(scratch.path).reason, "a virtual machine seldom has them"));
  CHECK(contains(processor_energy(scratch.path / "none").reason, "a virtual machine seldom has them"));
  // Container programs cover the folder that the kernel's links lead to.
  fs::create_symlink(scratch.path / "covered", scratch.path / "intel-rapl:0");
  CHECK(contains(processor_energy(scratch.path).reason, "a container hides"));
  fs::remove(scratch.path / "intel-rapl:0");
  plant(scratch.path / "intel-rapl:0", "package-0", "1");
  ::chmod((scratch.path / "intel-rapl:0/energy_uj").c_str(), 0400);  // as the kernel has it
  if (::getuid() != 0) ::chmod((scratch.path / "intel-rapl:0/energy_uj").c_str(), 0);
  CHECK(contains(reason_as_nobody(scratch.path), "closed to this user"));
  ::chmod((scratch.path / "intel-rapl:0/energy_uj").c_str(), 0600);  // closed to us too, who write it
  plant(scratch.path / "intel-rapl:0", "package-0", "");
  CHECK(contains(processor_energy(scratch.path).reason, "cannot be read"));
}

TEST_CASE("energy: the driver of a GPU") {
  const OpenedCounter opened = gpu_energy(fake_nvml, "0000:17:00.0");
  INFO(opened.reason);
  REQUIRE(opened.counter);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(opened.counter->spent() >= 1.9);  // 100 W
  CHECK(contains(gpu_energy(fake_nvml, "0000:18:00.0").reason,
                 "no counter of energy for this GPU (NVML: Not Supported)"));
  CHECK(contains(gpu_energy(fake_nvml, "0000:19:00.0").reason, "0000:19:00.0 (NVML: Not Found)"));
  CHECK(contains(gpu_energy("libladder-none.so", "0000:17:00.0").reason, "no NVIDIA driver"));
  CHECK(contains(gpu_energy("libc.so.6", "0000:17:00.0").reason, "has no nvmlInit_v2"));
  CHECK(contains(gpu_energy(fake_nvml, "").reason, "address of this GPU"));
}

TEST_CASE("energy: joules a call") {
  Planted gpu, processor;
  gpu.next = 3, processor.next = 1;
  const EnergyMeter meter{{&gpu, &processor}, "GPU and processor", ""};
  int calls = 0;
  const EnergyResult result = measure_energy(
      meter, [&] { return ++calls, 0.25; }, 0);
  CHECK(calls == 1);  // however long it takes
  CHECK(result.joules == 4);
  CHECK(result.in_calls == 0.25);
  const EnergyResult many = measure_energy(
      meter, [] { return std::this_thread::sleep_for(std::chrono::milliseconds(1)), 0.0; }, 0.02);
  CHECK(many.calls > 1);
  CHECK(many.joules * many.calls == Approx(4));
  CHECK(many.seconds >= 0.02);
  gpu.next = processor.next = 0;
  CHECK(contains(measure_energy(
                     meter, [] { return 0.0; }, 0)
                     .reason,
                 "did not move"));
  const EnergyResult ended = measure_energy(meter, []() -> double {
    throw Failure{Verdict::timeout, "too long"};
  });
  CHECK(ended.calls == 0);
  CHECK(contains(ended.reason, "too long"));
  const EnergyResult nothing =
      measure_energy({{}, "", "closed"}, []() -> double { throw 1; });  // is not called
  CHECK(nothing.reason == "closed");
}

TEST_CASE("energy: in the record of a rung's time") {
  const Scratch scratch;
  const auto energy_of = [&](const json& step) {
    const Scratch run;
    json plan = plan_of(run, json::array({step}), {"time"});
    plan["powercap"] = scratch.path.string(), plan["nvml"] = fake_nvml;
    int status = 0;
    ::waitpid(start_judge(run, plan), &status, 0);
    const std::vector<json> found = verdicts(run);
    REQUIRE(found.size() == 1);
    return found.front().value("energy", json());
  };
  json step = planned("c3_timed", "right");
  const json on_processor = energy_of(step);
  INFO(on_processor.dump());
  CHECK_FALSE(on_processor.contains("joules"));
  CHECK(contains(on_processor.at("reason"), "no counters of the processor"));
  step["backend"] = "cuda", step["gpu"] = "0000:17:00.0";
  const json on_gpu = energy_of(step);
  INFO(on_gpu.dump());
  CHECK(on_gpu.at("source") == "GPU");
  CHECK(on_gpu.at("seconds") >= 0.5);
  CHECK(on_gpu.at("seconds") < 10);  // one call behind half a second
  CHECK(on_gpu.at("in_calls") <= on_gpu.at("seconds"));
  CHECK(on_gpu.at("joules").get<double>() * on_gpu.at("calls").get<int>() ==
        Approx(100 * on_gpu.at("seconds").get<double>()).epsilon(0.05));
  CHECK(contains(on_gpu.at("reason"), "no counters of the processor"));
  plant(scratch.path / "intel-rapl:0", "package-0", "1");
  CHECK(energy_of(step).at("source") == "GPU and processor");
  CHECK(contains(energy_of(planned("c3_timed", "right")).at("reason"),
                 "the counter of the processor did not move"));
}
