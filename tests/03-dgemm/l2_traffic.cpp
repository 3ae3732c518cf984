#include "l2_traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/judge/reproduction.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/ncu.hpp"
#include "common/trace/programs.hpp"
#include "problem.hpp"

namespace dgemm::test {
namespace {

using ladder::Failure;
using ladder::NcuLaunch;
using ladder::Session;
using ladder::Verdict;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

constexpr const char* l1_loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* l1_stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* l2_reads = "lts__t_sectors_op_read.sum";
constexpr const char* l2_writes = "lts__t_sectors_op_write.sum";
constexpr const char* memory_reads = "dram__bytes_read.sum";
constexpr const char* memory_writes = "dram__bytes_write.sum";
constexpr const char* nanoseconds = "gpu__time_duration.sum";
constexpr const char* metrics[] = {l1_loads,     l1_stores,     l2_reads,   l2_writes,
                                   memory_reads, memory_writes, nanoseconds};

constexpr const char* title = "L1, L2 and device memory under the basic kernel (g1) and tiles of 32 (g2)";
constexpr double sector = 32;
constexpr int sizes[] = {1024, 1536, 2048, 4096};
/// What counts as little traffic: at most so many times the least.
constexpr double little = 2;
/// What counts as bound by a bandwidth: at least this share of it.
constexpr double bound = 0.6;

double matrices(int n) {
  return 24.0 * n * n;
}

/// What device memory must move before a kernel ends: A and B. C may stay in L2, and be written later.
double min_traffic(int n) {
  return 16.0 * n * n;
}

/// Bytes that a launch moved; below 0: not counted.
struct Traffic {
  double l1 = -1, l2 = -1, memory = -1, seconds = -1;
};

/// What the source of the kernels says. L1: g1 asks for 9 sectors per warp and p, g2 for 16 a tile's row of A
/// and B. L2: in both a block of 32 x 32 needs 32 rows of A and 32 columns of B once, 16 sectors a p, if L1
/// keeps for g1 what its 32 warps share. Memory: A and B once.
Traffic predicted(const std::string& kernel, int n) {
  const double cube = std::pow(double(n), 3), stores = n * double(n) / 4;
  return {.l1 = sector * (kernel == "g1" ? 9 * cube / 32 + stores : cube / 64 + stores),
          .l2 = sector * (cube / 64 + stores),
          .memory = min_traffic(n),
          .seconds = -1};
}

double sum(const NcuLaunch& launch, const char* one, const char* other, double factor) {
  const auto a = launch.values.find(one), b = launch.values.find(other);
  return a == launch.values.end() || b == launch.values.end() ? -1 : factor * (a->second + b->second);
}

Traffic traffic_of(const NcuLaunch& launch) {
  const auto time = launch.values.find(nanoseconds);
  return {.l1 = sum(launch, l1_loads, l1_stores, sector),
          .l2 = sum(launch, l2_reads, l2_writes, sector),
          .memory = sum(launch, memory_reads, memory_writes, 1),
          .seconds = time == launch.values.end() ? -1 : 1e-9 * time->second};
}

struct Key {
  int n;
  std::string kernel;
  bool cold;
  auto operator<=>(const Key&) const = default;
};

using Counted = std::map<Key, Traffic>;

std::vector<int> sizes_to_run() {
  std::vector<int> all;
  for (const int n : sizes)
    if (ladder::plan().size == 0 || n <= ladder::plan().size) all.push_back(n);
  if (all.empty()) all.push_back(ladder::plan().size);
  return all;
}

/// One run of the program that launches g1, g1, g2 and g2 for each size.
void count(const ladder::Peer& program, const std::string& ncu, bool cold,
           const std::function<void(Session&, int)>& call, Counted& counted, std::string& device) {
  const std::string log = ladder::plan().scratch + (cold ? "/l2-cold.ncu" : "/l2-warm.ncu");
  ladder::Launch launch = ladder::launch_of(program, ladder::Data::resident);
  launch.under = ladder::ncu_command(ncu, metrics, cold);
  launch.under.insert(launch.under.end(), {"--log-file", log});
  {
    Session session(launch);
    for (const int n : sizes_to_run()) call(session, n);
    device = session.device();
    session.finish();  // ncu writes its table when the program has ended
  }
  std::ifstream in(log, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<NcuLaunch> launches;
  for (const NcuLaunch& one : ladder::parse_ncu(text, metrics))
    if (ladder::kernel_base_name(one.kernel) == "multiply") launches.push_back(one);
  if (launches.size() != 4 * sizes_to_run().size())
    throw ladder::Error(
        fmt::format("ncu counted {} launches of {}", launches.size(), 4 * sizes_to_run().size()));
  std::size_t at = 0;
  for (const int n : sizes_to_run())
    for (const char* kernel : {"g1", "g2"}) {
      counted[{n, kernel, cold}] = traffic_of(launches[at + 1]);  // the second of the two
      at += 2;
    }
}

std::string bytes_text(double bytes) {
  if (bytes < 0) return "–";
  return bytes >= 1e9 ? fmt::format("{:.4g} GB", bytes / 1e9) : fmt::format("{:.4g} MB", bytes / 1e6);
}

/// What the explanation needs, and what of it was counted at a size.
void add_judgement(json& notes, const Counted& counted, int n, const ladder::DeviceLimits& device) {
  const auto basic = counted.find({n, "g1", true}), tiles = counted.find({n, "g2", true});
  if (basic == counted.end() || tiles == counted.end()) return;
  const Traffic &g1 = basic->second, &g2 = tiles->second;
  if (g1.memory < 0 || g2.memory <= 0 || g1.seconds <= 0 || g2.seconds <= 0 || g1.l2 < 0 || g2.l2 <= 0)
    return;
  notes.push_back(
      fmt::format("n = {}, 24 n² is {:.2g} of L2, cold: g1 asks L1 for {:.1f} times the bytes that g2 asks "
                  "for, L2 for {:.2f} "
                  "times and device memory for {:.2f} times",
                  n, matrices(n) / device.l2_bytes, g1.l1 / g2.l1, g1.l2 / g2.l2, g1.memory / g2.memory));
  const double times = g1.memory / min_traffic(n), share = g1.memory / g1.seconds / device.memory_bandwidth;
  const bool slower = g2.seconds > g1.seconds, few = times <= little, limited = share >= bound;
  notes.push_back(fmt::format(
      "The source's explanation at n = {}: tiles take {:.2f} of the basic kernel's time: they are {}; the "
      "basic kernel moves "
      "{:.2f} times the least through device memory: {}; it uses {:.2f} of that bandwidth: {}bound by it. {}",
      n, g2.seconds / g1.seconds, slower ? "slower" : "not slower", times, few ? "little" : "not little",
      share, limited ? "" : "not ",
      slower && few && limited ? "The explanation holds here."
      : slower                 ? "The explanation does not hold here."
                               : "There is nothing to explain here."));
}

void publish(const Counted& counted, const std::string& device, const std::string& reason) {
  json record =
      reproduction::record(ladder::plan().lesson, title,
                           {"n", "24 n²", "kernel", "L2 before", "L1 predicted", "L1", "L2 predicted", "L2",
                            "memory at least", "memory", "of its bandwidth", "time"});
  record["traffic"] = json::array();
  const ladder::DeviceLimits* limits = ladder::find_device(device);
  const double bandwidth = limits ? limits->memory_bandwidth : 0;
  for (const int n : sizes_to_run())
    for (const bool cold : {true, false})
      for (const char* kernel : {"g1", "g2"}) {
        const Traffic theory = predicted(kernel, n);
        const auto found = counted.find({n, kernel, cold});
        const Traffic real = found == counted.end() ? Traffic{} : found->second;
        const bool timed = real.seconds > 0 && real.memory >= 0 && bandwidth > 0;
        record["rows"].push_back({std::to_string(n), bytes_text(matrices(n)), kernel, cold ? "cold" : "warm",
                                  bytes_text(theory.l1), bytes_text(real.l1), bytes_text(theory.l2),
                                  bytes_text(real.l2), bytes_text(theory.memory), bytes_text(real.memory),
                                  timed ? fmt::format("{:.2f}", real.memory / real.seconds / bandwidth) : "–",
                                  real.seconds > 0 ? fmt::format("{:.3g} ms", 1e3 * real.seconds) : "–"});
        if (found != counted.end())
          record["traffic"].push_back({{"n", n},
                                       {"kernel", kernel},
                                       {"cold", cold},
                                       {"l1_bytes", real.l1},
                                       {"l2_bytes", real.l2},
                                       {"memory_bytes", real.memory},
                                       {"seconds", real.seconds}});
      }
  json& notes = record["notes"];
  if (!reason.empty()) notes.push_back("SKIPPED: " + reason + "; the predictions stand alone");
  if (limits && limits->l2_bytes > 0) {
    notes.push_back(fmt::format("{} has {} of L2: A, B and C fit it up to n = {}", device,
                                bytes_text(limits->l2_bytes), int(std::sqrt(limits->l2_bytes / 24))));
    for (const int n : sizes_to_run()) add_judgement(notes, counted, n, *limits);
  }
  notes.push_back(
      "cold: ncu emptied the caches before the launch; warm: the same launch ran just before. L1 predicted: "
      "9n³/32 + n²/4 "
      "sectors for g1, n³/64 + n²/4 for g2; L2 predicted: n³/64 + n²/4 for both, if L1 serves what the warps "
      "of a block share; "
      "memory at least: A and B once; C's bytes may still be in L2 when ncu stops counting");
  notes.push_back(
      fmt::format("little: at most {:g} times the least; bound: at least {:g} of the published bandwidth",
                  little, bound));
  record["figures"] = json::array();
  reproduction::publish(record);
}

}  // namespace

void publish_traffic(const std::function<void(Session&, int n)>& call, const std::string& backend) {
  if (!reproduction::wanted(title)) return;
  const ladder::Peer* program = reproduction::peer(ladder::plan().variants, "l2_traffic", {"cuda"});
  const std::string ncu = ladder::find_program("ncu");
  std::string device, reason;
  if (backend != "cuda")
    reason = "ncu counts on an NVIDIA GPU; CUDA rungs run on the " + backend + " here";
  else if (ncu.empty())
    reason = "ncu is not installed (part of the CUDA Toolkit)";
  else if (!program)
    reason = "the program that launches g1 and g2 was not built";
  Counted counted;
  publish(counted, device, reason);
  if (!reason.empty()) return;
  try {
    for (const bool cold : {true, false}) count(*program, ncu, cold, call, counted, device);
  } catch (const Failure& failure) {
    reason = fmt::format("{}: {}", name(failure.verdict), failure.message);
    publish(counted, device, reason);
    if (failure.verdict == Verdict::wrong) throw;
    return;
  } catch (const ladder::Error& why) {
    reason = why.what();
  }
  publish(counted, device, reason);
}

}  // namespace dgemm::test
