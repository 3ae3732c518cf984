#pragma once
/// @file
/// The options of each verb.

#include <string>

#include "common/tool/core/options.hpp"

namespace CLI {
class App;
}

namespace ladder {

/// Texts as typed; checked after parsing, so that the messages are ours.
struct Typed {
  std::string seed, size, max_size, budget, seconds, memory, jobs, attempt, port, sample;
};

/// For verbs that write a document of their results.
void add_json(CLI::App& app, Options& o);

/// Those of one verb, as its row of the table (*_verbs.cpp) names them.
using AddOptions = void (*)(CLI::App& app, Options& o, Typed& typed);

/// For verbs that ./ladder also starts on another machine (remote.sh, which is there before the tool is).
void add_remote_options(CLI::App& app, Options& o);

void add_no_options(CLI::App& app, Options& o, Typed& typed);
void add_json_option(CLI::App& app, Options& o, Typed& typed);
void add_device_options(CLI::App& app, Options& o, Typed& typed);
void add_predict_options(CLI::App& app, Options& o, Typed& typed);
void add_diff_options(CLI::App& app, Options& o, Typed& typed);
void add_run_options(CLI::App& app, Options& o, Typed& typed);
void add_check_options(CLI::App& app, Options& o, Typed& typed);
void add_watch_options(CLI::App& app, Options& o, Typed& typed);
void add_profile_options(CLI::App& app, Options& o, Typed& typed);
void add_bench_options(CLI::App& app, Options& o, Typed& typed);
void add_submit_options(CLI::App& app, Options& o, Typed& typed);
void add_reproduce_options(CLI::App& app, Options& o, Typed& typed);
void add_test_options(CLI::App& app, Options& o, Typed& typed);
void add_results_add_options(CLI::App& app, Options& o, Typed& typed);
void add_start_options(CLI::App& app, Options& o, Typed& typed);
void add_doctor_options(CLI::App& app, Options& o, Typed& typed);
void add_review_options(CLI::App& app, Options& o, Typed& typed);
void add_open_options(CLI::App& app, Options& o, Typed& typed);
void add_amend_options(CLI::App& app, Options& o, Typed& typed);
void add_regrade_options(CLI::App& app, Options& o, Typed& typed);
void add_course_check_options(CLI::App& app, Options& o, Typed& typed);
void add_course_purge_options(CLI::App& app, Options& o, Typed& typed);
void add_handout_options(CLI::App& app, Options& o, Typed& typed);
void add_solutions_options(CLI::App& app, Options& o, Typed& typed);
void add_update_options(CLI::App& app, Options& o, Typed& typed);
void add_exam_options(CLI::App& app, Options& o, Typed& typed);
void add_viva_options(CLI::App& app, Options& o, Typed& typed);
void add_similarity_options(CLI::App& app, Options& o, Typed& typed);
void add_grade_options(CLI::App& app, Options& o, Typed& typed);
void add_grade_merge_options(CLI::App& app, Options& o, Typed& typed);
void add_grade_export_options(CLI::App& app, Options& o, Typed& typed);
void add_grade_publish_options(CLI::App& app, Options& o, Typed& typed);
void add_grade_calibrate_options(CLI::App& app, Options& o, Typed& typed);
void add_report_options(CLI::App& app, Options& o, Typed& typed);
void add_docs_options(CLI::App& app, Options& o, Typed& typed);
void add_image_options(CLI::App& app, Options& o, Typed& typed);
void add_image_prebuild_options(CLI::App& app, Options& o, Typed& typed);
void add_validate_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
