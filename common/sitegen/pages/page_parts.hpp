#pragma once
/// @file
/// The kinds of generated parts: the text between a mark and its end.

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/report/results/hardware_comparison.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/result_store.hpp"
#include "common/sitegen/counted_code.hpp"
#include "common/sitegen/pages.hpp"
#include "common/trace/devices.hpp"

namespace ladder::report {

/// An unknown kind, or arguments that do not fit it.
struct UnknownPart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Some rungs of one lesson.
struct Station {
  std::string lesson, title;  ///< "03-dgemm", and what its table calls it
  std::vector<nlohmann::json> rows;
};

/// What is published of the first CUDA device of a stored run; null where it is not known.
const DeviceLimits* cuda_limits_of(const model::Document& run);

/// Makes parts from the stored runs, and collects the figures that they show.
///
/// | kind | part |
/// |---|---|
/// | lessons | every lesson: the text after "in short" on its page, and its rungs |
/// | path STATION … | the way through the lessons, "00", "03/g1-g3" or "03/g4-" each, with the hours of their
/// rungs |
/// | syllabus WEEKS HOURS WEEK … | a course: each week the stations "03/c1,03/g1-g2" of a path, or "exam" |
/// | tests parts, tests programs, tests scripts | what each test proves, which page promises it, what it
/// costs |
/// | tests mutants | how many mutants must get words, and why the others need not |
/// | tests run | how long the first `./ladder run` compiles |
/// | terms | every metric: its unit, what it counts, the field's name, ncu's name |
/// | table run-executor, table run-MACHINE | the results of a stored run |
/// | ladder-figure LESSON | the longest ladder as steps, then one picture of each other kind of rungs |
/// | ladder-table LESSON | every rung of the lesson with its result on every machine |
/// | measured LESSON STEP | a step or the baseline: one line per machine |
/// | measured LESSON g1-g2-by-size | times of rungs side by side, from runs of several sizes |
/// | measured LESSON g1-g2-METRIC | what the rungs' targets counted |
/// | on-your-gpu LESSON STEP | the commands by which ncu, nsys and others show the rung's numbers |
/// | reproduce LESSON | the source's tables next to ours, and a figure |
/// | hardware | counters and findings of the executor compared with those of GPUs |
/// | gpu-times | every rung that a GPU ran: device time, call time, percent of its ceiling, ratio to the
/// library |
/// | leaderboard LESSON | the top rungs next to the library, at many sizes, from docs/top |
/// | counters LESSON | what the top rungs keep busy, by ncu, from docs/top/counters |
/// | counters-command LESSON, or LESSON KERNELS | how that is measured: of all kernels, or of "update|gemm" |
/// | machine hierarchy, machine memory, machine access, machine latency | pictures of a GPU, with numbers of
/// doctor.json |
/// | drawing LESSON NAME | a drawing of a rung's idea, computed from its index formulas |
/// | roofline LESSON | the lesson's rungs under the roofs of each GPU |
/// | layers | the folders of common, and whose headers they include |
/// | costs | what the executor and its observed mode cost |
/// | compared | how many rungs and planted mistakes were compared with GPUs |
/// | paper extent, paper hardware, paper planted, paper suites, paper costs, paper attacks | the same in
/// short, for paper.md |
/// | suites | findings compared with the labels of public suites, and what others have published |
class PartMaker {
 public:
  /// Stored rows that the tables do not have are left out, and counts of code that has changed since.
  PartMaker(const std::filesystem::path& root, const Tables& tables);

  /// @param page  the file that has the mark, relative to the checkout
  /// @throws UnknownPart
  std::vector<std::string> part(const std::string& page, const std::string& kind,
                                const std::vector<std::string>& arguments);

  /// SVG of the figures so far, by path relative to the checkout.
  const std::map<std::string, std::string>& figures() const { return figures_; }

  /// What a rung gains, a line of Markdown for each machine that timed it: on a GPU over the program without
  /// its idea, on a CPU over the baseline. A time alone where no gain is stored. @throws UnknownPart
  std::vector<std::string> gain_lines(const std::string& lesson, const std::string& name) const;

 private:
  using Lines = std::vector<std::string>;
  Lines lessons(const std::string& page) const;
  Lines path(const std::string& page, const std::vector<std::string>& stations) const;
  Lines syllabus(const std::string& page, const std::vector<std::string>& arguments) const;
  /// The rungs of "00", "03/g2", "03/g1-g3" or "03/g4-", in the order of the table.
  Station station(const std::string& text) const;
  Lines table(const std::string& page, const std::string& which) const;
  /// What the ladder's table says of a rung on a machine. @param above  the rung in the row above
  std::string cell_of(const std::string& page, const StoredMachine& machine, const std::string& lesson,
                      const std::string& name, const std::string& above, const std::string& usual_size) const;
  /// The size that most rungs of a track were timed at; empty when none was.
  std::string usual_size_of(const StoredMachine& machine, const std::string& lesson, char track) const;
  std::string measured_line(const StoredMachine& machine, const std::string& lesson,
                            const model::StepResult& step) const;
  /// What a row says that its rung refutes; empty: the rung is to gain.
  std::string experiment_of(const std::string& lesson, const std::string& name) const;
  Lines ladder_figures(const std::string& page, const std::string& lesson);
  Lines ladder_table(const std::string& page, const std::string& lesson) const;
  Lines measured(const std::string& page, const std::string& lesson, const std::string& what) const;
  Lines by_size(const std::string& page, const std::string& lesson,
                const std::vector<std::string>& ids) const;
  Lines counted(const std::string& lesson, const std::vector<std::string>& ids) const;
  Lines on_your_gpu(const std::string& lesson, const std::string& id) const;
  Lines reproduce(const std::string& page, const std::string& lesson);
  Lines hardware(const std::string& page) const;
  Lines hardware_in_full(const std::string& page, const StoredMachine& machine) const;
  /// What of a part was left out, as its code has changed since; empty: nothing.
  std::string changed(const StoredMachine& machine, const std::string& part, const std::string& noun) const;
  /// How much was compared with GPUs, in a sentence.
  Lines compared(const std::string& page) const;
  Lines gpu_times(const std::string& page) const;
  Lines leaderboard(const std::string& page, const std::string& lesson) const;
  /// The ratios of a rung to the library, if docs/top has them of this machine; n is the order of square
  /// matrices.
  /// @param each  of every size, or the least and the greatest only
  std::string top_of(const std::string& page, const StoredMachine& machine, const std::string& lesson,
                     const std::string& name, bool each) const;
  Lines counters(const std::string& page, const std::string& lesson) const;
  Lines counters_command(const std::string& lesson, const std::string& kernels) const;
  /// What a top rung keeps busy on a machine, and what of operations on registers alone docs/top has for it.
  Lines busy_of(const std::string& page, const StoredMachine& machine, const std::string& lesson,
                const std::string& name) const;
  Lines costs(const std::string& page) const;
  Lines tests(const std::string& page, const std::string& which) const;
  Lines suites() const;
  /// @param which  "extent", "hardware", "planted", "suites", "costs", "attacks"
  Lines paper(const std::string& which) const;
  /// How many kernels agree with each GPU's counters.
  Lines hardware_in_short() const;
  /// How many planted mistakes each side finds.
  Lines planted_in_short() const;
  Lines machine(const std::string& page, const std::string& which);
  Lines drawing(const std::string& page, const std::string& lesson, const std::string& name);
  Lines roofline_of(const std::string& page, const std::string& lesson);
  /// Keeps a figure for the page. @return the line that shows it
  std::string shown(const std::string& page, const std::string& file, const std::string& svg,
                    const std::string& alternative);

  const nlohmann::json& rows(const std::string& lesson) const;
  /// The CUDA solutions of the tables that have no row in executor.json, by the field that names it there.
  Lines cuda_rows_without(const nlohmann::json& rows, const std::string& field) const;
  std::string name_of(const std::string& lesson, const std::string& id) const;
  /// The cells of a suite's rows, of all programs and of races only where these are fewer: suite, tool, with
  /// a bug, found, warned of, missed, not applicable, not judged, free of bugs, accused wrongly, by warning,
  /// recall, precision.
  static std::vector<Lines> suite_cells(const nlohmann::json& run);
  /// Those of the lessons' pages, then the further ones.
  std::vector<const StoredMachine*> all_machines() const;
  /// For every machine one line or more; "not measured yet on …" where `lines` has none.
  Lines for_machines(const std::function<Lines(const StoredMachine& machine)>& lines) const;

  std::filesystem::path root_;
  std::vector<StoredMachine> machines_;  ///< with the steps that the tables have
  std::vector<StoredMachine> further_;   ///< those that are only shown next to these
  std::vector<StoredMachine> suites_;    ///< those with counts of public suites
  std::map<std::string, model::Document>
      whole_runs_;  ///< by folder, with all: a ceiling may be another lesson's
  Tables tables_;
  nlohmann::json explained_, planted_;
  std::map<std::string, std::map<std::string, ChangedRows>>
      changed_;  ///< by folder, by part of executor.json
  std::map<std::string, std::string> figures_;
};

/// "03/g2, 03/g4" of "03-dgemm/g2_shared_tiles", "03-dgemm/g4_vector_loads".
std::string short_names(const std::vector<std::string>& paths);

/// The table of all metrics, for the glossary.
std::vector<std::string> metric_terms();

}  // namespace ladder::report
