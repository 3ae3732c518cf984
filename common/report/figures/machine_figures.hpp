#pragma once
/// @file
/// Pictures of a GPU for those who have never seen one: its threads, its memories, how a warp reads, how
/// waiting is hidden. And what is known of a machine's memories: measured by `./ladder doctor`, else
/// published.

#include <optional>
#include <string>
#include <vector>

#include "common/report/figures/figures.hpp"
#include "common/report/results/result_store.hpp"
#include "common/trace/devices.hpp"

namespace ladder::report {

/// What `./ladder doctor` measured on a GPU.
class DoctorLines {
 public:
  DoctorLines() = default;
  /// @param document  of the verb doctor; its first CUDA device
  explicit DoctorLines(const model::Document& document);

  /// The median of a line, "latency, L2"; nothing when it was not measured.
  std::optional<double> median(const std::string& what) const;

  /// The best of the lines that measure the same limit: "copy" and "read" of device memory.
  std::optional<double> best(const std::vector<std::string>& names) const;

  /// Bytes a second by the warps that each multiprocessor had.
  struct ByWarps {
    double warps, rate, low, high;
  };
  std::vector<ByWarps> by_warps() const;

 private:
  std::vector<model::MeasuredCeiling> lines_{};
};

/// Bytes that must be in flight all the time, so that a memory that answers after `latency` seconds delivers
/// `bandwidth`.
double bytes_under_way(double latency, double bandwidth);

/// Loads of that many bytes that a multiprocessor must have in flight for that, in warps with one load each.
double warps_under_way(double bytes, int multiprocessors, double bytes_of_load);

/// A GPU of the picture of memories.
struct PicturedDevice {
  std::string name;  ///< "NVIDIA H200"
  DeviceLimits limits;
  DoctorLines measured{};
  bool present = false;  ///< one of ours: what doctor did not measure yet says so
};

/// A level of the picture: what it is, and for each device one or two short texts.
struct MemoryLevel {
  std::string name, what;                       ///< "L2", "one for all multiprocessors"
  std::vector<std::vector<std::string>> facts;  ///< of each device: size; latency; bandwidth
  double bytes = 0, seconds = 0;  ///< of the first device: what one SM reaches, latency; 0: unknown
};
std::vector<MemoryLevel> memory_levels(const std::vector<PicturedDevice>& devices);

/// Grid, block, warp, thread: each is a part of the one above it.
std::string hierarchy_figure(Caption& caption);

/// Multiprocessor, L2, device memory, PCIe, host memory: with the numbers of each device.
std::string memory_figure(const std::vector<PicturedDevice>& devices, Caption& caption);

/// 32 lanes that read doubles: neighbours, neighbours one element off, every fourth.
std::string access_figure(Caption& caption);

/// One scheduler with one warp, and with eight: who issues when.
std::string hiding_figure(Caption& caption);

/// Rate of reading against resident warps: measured, and by Little's law. Empty when nothing was measured.
std::string little_figure(const PicturedDevice& device, Caption& caption);

}  // namespace ladder::report
