#pragma once
/// @file
/// The contract of a lesson that is none: y = 2 x. Its steps misbehave in every way that we know of.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace probe {

struct Class {
  const char* name;
  int size;
};
constexpr Class all_classes[] = {{"S", 500}, {"A", 4000}, {"B", 20'000}, {"E", 1 << 29}};

struct Problem {
  int n = 0;
  const double* x = nullptr;  ///< n
  double* y = nullptr;        ///< n; 2 x

  static constexpr auto& classes = all_classes;

  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("x", ladder::Role::in, x, std::size_t(n));
    visit("y", ladder::Role::out, y, std::size_t(n));
  }
};

constexpr double sectors(const Problem& p, int) {
  return p.n / 2.0;
}
constexpr double bytes(const Problem& p, int) {
  return 16.0 * p.n;
}

constexpr ladder::Target balanced{.metric = "balance",
                                  .relation = "<=",
                                  .bound = 1.2,
                                  .necessary = "1",
                                  .amount = ladder::as_it_is,
                                  .size = 1000};
constexpr ladder::TimeBound as_fast_as_itself{.peer = "baseline", .ratio = 1, .size = 1000};

/// One row a verdict; the rows that only differ in their step are made by the test.
constexpr ladder::Step steps[] = {
    {.file = "c1_plain.cpp", .idea = "correctness, and a time that is shown", .time = {.size = 1000}},
    {.file = "c2_balanced.cpp", .idea = "a target", .targets = {balanced}},
    {.file = "c3_timed.cpp",
     .idea = "a bound on time that its own twin sets",
     .time = as_fast_as_itself,
     .time_points = 2},
    {.file = "c4_counted.cpp",
     .idea = "a target on counters",
     .targets = {{.metric = "sectors",
                  .bound = 1.1,
                  .amount = ladder::amount<sectors>,
                  .size = 1000,
                  .floor = ladder::amount<sectors>,
                  .proof = "each element is read and written"}}},
    {.file = "c5_refusing.cpp", .idea = "a case that a step has to refuse"},
    {.file = "g1_traced.cpp",
     .idea = "a target on a trace",
     .targets = {{.metric = "bytes",
                  .bound = 1.1,
                  .amount = ladder::amount<bytes>,
                  .size = 1000,
                  .floor = ladder::amount<bytes>,
                  .proof = "each element goes there and back"}},
     .time = {.size = 1000}},
    {.file = "g2_counted.cu",
     .idea = "a target on counters of a kernel",
     .targets = {{.metric = "sectors",
                  .bound = 1.1,
                  .necessary = "n / 2 sectors",
                  .amount = ladder::amount<sectors>,
                  .size = 1024,
                  .floor = ladder::amount<sectors>,
                  .proof = "each element is read and written"}}},
    {.file = "g4_resident.cu", .idea = "data on the device", .data = ladder::Data::resident},
    {.file = "g3_two_numbers.cu",
     .idea = "two targets, the first of which is missed",
     .targets =
         {{.metric = "requests_a_byte",
           .bound = 0.001,
           .necessary = "1",
           .amount = ladder::amount<bytes>,
           .size = 1024},
          {.metric = "findings", .bound = 0, .necessary = "none", .amount = ladder::as_it_is, .size = 1024}}},
};
constexpr ladder::Lesson lesson{"99-probe", "Probe", "none", steps, std::size(steps), {4000, 20'000, 500}};

}  // namespace probe
