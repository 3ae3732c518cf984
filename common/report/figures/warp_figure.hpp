#pragma once
/// @file
/// What both pictures of a warp's access have: the lanes above, the lines between, the words. Only they
/// include it.

#include "common/base/observation/observation.hpp"
#include "common/report/figures/kernel_figures.hpp"

namespace ladder::report::warp {

constexpr double left = 10, right = 410;  ///< of the frame
constexpr double lane_width = (right - left) / 32;
constexpr double below = 124;                        ///< where sectors or banks begin
constexpr const char* small = "font-size=\"12.5\"";  ///< words
constexpr const char* tiny = "font-size=\"12\"";     ///< numbers of lanes and banks
constexpr const char* used = "#2b8cce";              ///< bytes that lanes accessed

/// The middle of a lane.
double lane_x(int lane);

/// Whether the lane took part in the request.
bool takes_part(const WarpAccess& access, int lane);

/// The 32 lanes; inactive ones are hatched.
std::string lanes(const WarpAccess& access);

/// A line from a lane down to the bytes that it accessed.
std::string arrow(int lane, double x, double y);

/// "Line 41: 32 sectors where 8 would do", and the access in words.
Caption caption_of(const LineCounters& line, std::size_t moved, std::size_t ideal, const char* what,
                   const std::string& corner);

/// The picture for shared memory (bank_figure.cpp).
std::string bank_access(const LineCounters& line, const std::string& corner);

}  // namespace ladder::report::warp
