#pragma once
/// @file
/// How long a device is busy with a call, by its own clock: CUPTI's activities, OpenCL's events. Measured in
/// a run of its own, since a recorder slows down what the judge's clock sees.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/base/statistics.hpp"
#include "common/judge/session/session.hpp"
#include "common/model/result.hpp"

namespace ladder {

/// Seconds of a call in which the device is busy.
struct DeviceTime {
  Interval busy;                          ///< kernels, copies and fills; what overlaps counts once
  double kernels = 0;                     ///< of these kernels alone, the median
  std::map<std::string, double> peers{};  ///< `busy` of libraries of the same device, medians: "cuBLAS"
  std::string reason{};                   ///< why it is not known; empty: it is
};

/// Whether devices of a back end have a clock of their own: CUDA on a GPU, OpenCL.
bool has_device_clock(const std::string& backend);

/// Starts a worker under its device's recorder and calls it some times. An error becomes the reason, not a
/// verdict: the step has been judged without a recorder.
/// @param call  a call in that session, on existing content
DeviceTime measure_device_time(Launch launch, const std::function<Outcome(Session&)>& call);

/// Seconds in which the device was busy with a call; where kernels are named, with these alone: "eliminate"
/// is each instance of a template of that name, in any namespace.
/// @throws Error for an operation without a time, and where there is nothing to count
double device_seconds_of(const Trace& trace, const std::vector<std::string>& kernels = {});

/// The same from the traces of calls.
DeviceTime device_time_of(const std::vector<Trace>& calls);

/// A call contains the device's work, so a recorder under which that takes clearly longer has slowed it down:
/// then the reason, and no number.
/// @param call  seconds of a call without a recorder, the median
DeviceTime unless_slowed(DeviceTime time, double call);

/// As records have it: times, or the reason.
model::DeviceTime recorded(const DeviceTime& time);

}  // namespace ladder
