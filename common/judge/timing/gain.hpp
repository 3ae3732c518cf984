#pragma once
/// @file
/// What the idea of a rung gains: its time and that of the program without the idea, in turns, by the clock
/// and at the size that its row names.

#include <functional>

#include "common/judge/session/session.hpp"
#include "common/lesson/rung.hpp"
#include "common/model/result.hpp"

namespace ladder {

/// The program of a rung, and the one without its idea.
struct WithAndWithout {
  Launch with, without;
};

/// A call in a session, on content that both programs get.
/// @param with  the rung; false: the program without its idea
using CallOfPair = std::function<Outcome(Session& session, bool with)>;

/// Calls both in turns and compares pairs of neighbouring calls. By the device's clock both run under their
/// recorder. An error becomes the reason, not a verdict.
model::Gain measure_gain(const Gain& row, WithAndWithout pair, const CallOfPair& call);

}  // namespace ladder
