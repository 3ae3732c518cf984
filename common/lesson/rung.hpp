#pragma once
/// @file
/// A lesson's table: its rungs, and what each is asked for. rungs_file.hpp reads it from
/// lessons/NN-name/rungs.toml, rung_json.hpp writes and reads it on the way from the tool to a judge.

#include <array>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ladder {

/// What a student does with a step.
enum class Kind {
  required,       ///< R: written by every student
  stretch,        ///< S: for those who want more
  demonstration,  ///< D: given complete; predict, run, explain
};

/// Where the arrays of a problem are when a step is called.
enum class Data {
  host,      ///< in host memory: the step's transfers count
  resident,  ///< in device memory before and after the call
  /// Each rank has its own blocks of them, with CUDA in its device's memory: the contract's part() says
  /// which.
  distributed,
};

/// The time that a rung's idea is to change.
enum class RungClock {
  call,    ///< from the call to its return: the host's part and transfers, too
  device,  ///< what kernels and copies take on the device
};

/// Where a GPU shows what the idea of a rung gains: its time next to that of the program without the idea.
struct Gain {
  /// Where a row does not say: of the device for resident data, else of the call.
  RungClock clock = RungClock::call;
  std::vector<std::string> kernels{};  ///< of the device's time that of these alone; none: all of it
  int size = 0;                        ///< at which the idea matters; 0: the lesson's usual one
  /// The program without the idea: another rung ("g3_many_streams"), a step of tests/NN-name/attempts or a
  /// mutant ("g3_tile.no_tile"), or "nothing" for the first rung of a problem. Empty: the rung below.
  std::string without{};
  std::string experiment{};  ///< what the rung refutes: it need not gain

  bool operator==(const Gain&) const = default;
};

/// A number that a step's idea is to change, as a ratio to the necessary amount.
struct Target {
  std::string metric{};         ///< a name of common/trace/metrics.hpp
  std::string relation = "<=";  ///< "<=" or ">="
  double bound = 0;             ///< bound of measured / necessary
  std::string necessary{};      ///< the formula of the necessary amount, in words: "4 n^3 + 8 n^2 bytes"
  std::string amount{};         ///< the same as a function of tests/NN-name/amounts.hpp, or "as_it_is"
  int size = 0;                 ///< the stated size, chosen so that the idea shows
  bool restricted = false;      ///< on a problem that gives the step less: little device memory, a given grid
  /// Of a metric that counts work: what no program of the contract can do without, a function like `amount`,
  /// and why. Less is REVIEW.
  std::string floor{}, proof{};
  /// What makes the necessary amount the reference's own: a program that needs less is cleverer, PASS with a
  /// remark. Empty: it is the floor.
  std::string own_cost{};

  bool operator==(const Target&) const = default;
};

/// A bound on time, as a ratio to a peer that runs in the same session.
struct TimeBound {
  std::string peer{};  ///< "baseline", a library as tables name it, "" for none
  double ratio = 0;    ///< time of the peer / time of the step must be at least this
  int size = 0;        ///< problem size of the measurement on the CPU or the executor
  int on_device = 0;   ///< the size on a GPU; 0: one of the lesson's

  bool operator==(const TimeBound&) const = default;
};

/// Points for what a step does.
struct RowPoints {
  double correctness = 4;
  double targets = 4;  ///< of all targets, in equal shares
  double time = 0;

  bool operator==(const RowPoints&) const = default;
};

/// One rung: a row of a lesson's table.
struct Step {
  std::string file{};  ///< "g2_shared_tiles.cu": track, number and idea
  std::string
      was{};  ///< "g1_tiles": what the rung was called before, where it was renamed or moved; no ending
  std::string idea{};  ///< one sentence
  Kind kind = Kind::required;
  Data data = Data::host;
  Gain gain{};
  double hours = 1;  ///< what a student needs
  /// What must be climbed before, besides the rungs below it: "00-first-steps", the required rungs of a
  /// lesson, or one rung, "03-dgemm/g7_streams".
  std::vector<std::string> after{};
  std::vector<std::string> assumes{};  ///< what no lesson teaches: "OpenMP"
  std::vector<Target> targets{};       ///< the numbers, each judged by itself
  TimeBound time{};
  /// What a library's function does, where that is not the rung's task: "sorting with CUB". A figure's title
  /// says it; empty: the library's name is enough.
  std::string library{};
  int ranks = 1;           ///< processes; more than one: started by mpirun
  std::string no_model{};  ///< why the lesson's model of work does not apply to this step; empty: it does
  /// Tensor cores can do its FP64 operations; false: its ceiling is the vector units'.
  bool matrix_products = true;
  /// Bytes that its own plan moves per FP64 operation of the lesson's model, where these are its ceiling; 0:
  /// they are not.
  double bytes_per_flop = 0;
  std::string why_long{};  ///< why it has more new lines than a rung should have; empty: it has not
  /// What only this lesson asks of it, by the names of the lesson's Asks.
  std::map<std::string, std::variant<bool, double>> asks{};
  RowPoints points{};
  std::array<std::string, 2> hints{};  ///< two static levels, for the metric

  /// The first number; one without a metric where there is none.
  const Target& target() const;
  /// Where it runs: c, m, g or t.
  char track() const { return file[0]; }
  /// "g2_shared_tiles"
  std::string name() const { return file.substr(0, file.rfind('.')); }

  bool operator==(const Step&) const = default;
};

/// Takes what a row asks into the members of a lesson's Asks. @throws Error for what the lesson does not ask,
/// and for another type
void read_asks(const Step& row,
               const std::vector<std::pair<const char*, std::variant<int*, bool*, double*>>>& members);

/// Sizes that the rungs of a GPU are timed at, the same for all of them; 0: none.
struct DeviceSizes {
  int usual = 0;
  int further = 0;  ///< a second size, for rungs whose call is short there
  int small = 0;  ///< for a device without memory for the usual size, and for a rung whose call is long there
  int several = 0;  ///< instead of the usual size, for rungs that share a problem among several GPUs

  int of(Data data) const { return data == Data::distributed && several > 0 ? several : usual; }
  bool operator==(const DeviceSizes&) const = default;
};

/// A size that has a name: a benchmark's class.
struct NamedSize {
  std::string name{};
  int size = 0;

  bool operator==(const NamedSize&) const = default;
};

/// A lesson's table: the one place where its steps are listed.
struct Lesson {
  std::string name{};  ///< folder: "03-dgemm"
  std::string title{};
  std::string source{};  ///< the work behind it
  std::vector<Step> steps{};
  DeviceSizes on_device{};
  std::vector<NamedSize> classes{};
  std::string reads{};  ///< what a user's file may hold for its problems: "matrix"; empty: it reads none

  bool operator==(const Lesson&) const = default;
};

/// Whether less than the necessary amount is something that a row has to speak of: it bounds work from above.
/// A balance and an error are ratios, and a bound below 1 is that of a row which does not state a least
/// amount.
bool bounds_work(const Target& target);

/// What a row lacks or says wrongly, a phrase each: "targets[0]: amount is missing".
std::vector<std::string> lacking(const Step& row);

}  // namespace ladder
