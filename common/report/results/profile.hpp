#pragma once
/// @file
/// What an observed run recorded, for a person: as text, as a page, as JSON.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/base/observation/launch_sum.hpp"
#include "common/base/observation/observation.hpp"
#include "common/report/results/predicted_number.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/bound.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/trace.hpp"

namespace ladder::report {

/// The row's number and what is necessary, as the judge computed them.
struct ProfileTarget {
  std::string metric, relation, formula;  ///< the formula in words
  double bound = 0, amount = 0, necessary = 0;
  double ratio() const { return necessary > 0 ? amount / necessary : 0; }
};

/// Everything that a profile shows.
struct Profile {
  std::string title;    ///< "03/g2 g2_shared_tiles.cu"
  std::string problem;  ///< "n = 64"
  std::string place;    ///< "executor, observed"
  std::string corner;   ///< machine and date
  std::string again;    ///< the command that shows it again
  Observation observation;
  std::optional<Trace> trace;
  std::string trace_device{};  ///< the GPU whose clock its times are of; empty: they are none
  std::optional<ProfileTarget> target;
  KnownWork known;
  DeviceLimits device;                         ///< --as
  std::map<std::string, std::string> sources;  ///< text of the files that lines name
  std::vector<PredictedNumber> predictions;
  std::optional<Observation> hardware;  ///< the same launches as ncu counted them
  std::string no_hardware;              ///< why there is none although it was asked for
};

/// The launches of one kernel from one line, together: a loop over pivots launches a thousand.
struct KernelGroup {
  std::string kernel;
  SourceLine site;
  std::size_t launches = 0;
  LaunchCounters sum;              ///< counters and lines added up; what some launch did not count is skipped
  LaunchCounters largest;          ///< the launch with most threads, for occupancy
  std::array<double, 2> blocks{};  ///< least and most of a launch
};
std::vector<KernelGroup> kernel_groups(const Observation& observation);

/// Whether a line moves more than its requests need, as far as texts show it.
bool wastes(const LineCounters& line);

/// The lines of a run that waste, worst first: passes of the memory unit beyond the ideal of their own
/// requests. When none wastes anything, the costliest ones. Lines of several launches are added up.
std::vector<LineCounters> worst_lines(const Observation& observation, std::size_t most = 3);

/// The source text of a line, without its indentation; empty when the file is not known.
std::string source_text(const Profile& profile, const SourceLine& site);

/// The rows of the table of counters: name, amount, and a remark, those that are not known with the reason.
struct CounterRow {
  std::string name;
  std::optional<double> amount;
  std::string remark;
  std::optional<double> hardware;
};
std::vector<CounterRow> counter_rows(const KernelGroup& group, const Observation* hardware);

/// "sectors 274,432 of 74,752 necessary (9 n^3/32 + n^2/4 sectors): 3.67x, limit 1.1x"
std::string target_sentence(const ProfileTarget& target);
/// "on GTX 1660: 1 block per multiprocessor (…), 2.91 waves, …"
std::string device_sentence(const KernelGroup& group, const DeviceLimits& device);
/// "at least 12.9 us: kernels 12.9 us, launch calls 1 us. A bound …"
std::string bound_sentence(const LowerBound& bound);
/// What limits the run, and by how much: "sectors through L1 (5,120): at least 29 us on H200, 3.1 times what
/// comes next, …". Empty where no limits of the device are published, or nothing was counted.
std::string limit_sentence(const Profile& profile);
/// Why there are no counters of kernels: none ran, or all were a library's.
std::string no_kernels_sentence(const Profile& profile);

/// For a terminal.
std::string profile_text(const Profile& profile, std::size_t width);
/// One self-contained file.
std::string profile_page(const Profile& profile);
/// The field "profile" of a step's result in schema gpu-ladder/3.
nlohmann::json profile_json(const Profile& profile);

}  // namespace ladder::report
