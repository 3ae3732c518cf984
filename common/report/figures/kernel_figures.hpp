#pragma once
/// @file
/// Figures of what a launch did: a warp's access, streams over time, waves on a device, a roofline. Each
/// takes numbers only, so that a profile, a lesson's page and the site draw the same picture.

#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/report/figures/figures.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/occupancy.hpp"
#include "common/trace/trace.hpp"

namespace ladder::report {

/// One request of a warp: 32 lanes above, the sectors (device memory) or the banks (shared memory) that it
/// needs below, lines between; bytes that are moved but not used are hatched. Empty when the line has no
/// example.
/// @param corner  machine and date
std::string warp_access(const LineCounters& line, const std::string& corner);

/// The operations of streams on one axis: one row per stream and one for the host.
struct TimelineFigure {
  enum class What { kernel, to_device, to_host, on_device, host };
  struct Bar {
    double begin, end;
    What what;
    std::string name;
    double share = 1;  ///< of the time from begin to end that was busy: the bar's height
  };
  struct Row {
    std::string label;  ///< "stream 1"
    std::vector<Bar> bars;
    std::vector<double> waits;  ///< where the host waited
  };
  Caption caption;
  std::vector<Row> rows;
  std::string axis;      ///< what the axis shows: "measured", or "stated costs: the same on every machine"
  bool measured = true;  ///< the axis is time; otherwise a share of all stated costs
};
std::string timeline(const TimelineFigure& figure);

/// The timeline of a trace. A trace of the executor is drawn by order and stated costs
/// (common/trace/metrics.hpp), since its times are not a GPU's; a trace of a GPU's recorder is drawn by its
/// times.
/// @param measured  whether begin and end of the events are times of a GPU
TimelineFigure timeline_of(const Trace& trace, bool measured);

/// A launch on a device: what limits its resident blocks, and its waves with the idle part of each.
/// @param kernel  its name, for the words
std::string waves_figure(const LaunchShape& launch, const DeviceLimits& device, const std::string& kernel,
                         const std::string& corner);

/// Operations per second against operations per byte, both axes logarithmic, under the roofs of a device.
struct RooflineFigure {
  struct Roof {
    std::string label;     ///< "L1", "memory"
    double bandwidth = 0;  ///< bytes per second
    bool dashed = false;
  };
  struct Point {
    std::string label;
    double intensity = 0;    ///< operations per byte, at the level of one roof
    double performance = 0;  ///< operations per second; measured, or the most that the roof allows
    bool measured = false;   ///< filled; else hollow: "at most"
    std::string mark{};      ///< on the point: "g1"; empty: its number, with its label in a list
  };
  Caption caption;
  double peak = 0;  ///< operations per second
  std::string peak_label;
  double upper_peak = 0;  ///< of units that only some programs use: tensor cores; 0: none
  std::string upper_label{};
  std::vector<Roof> roofs;
  std::vector<Point> points;  ///< joined by a line in this order: rungs that walk over it
  std::string note{};         ///< below the axis: what kinds of roofs there are
};
std::string roofline(const RooflineFigure& figure);

/// The most that a device allows at an intensity under one roof.
double attainable(double intensity, double bandwidth, double peak);

}  // namespace ladder::report
