#pragma once
/// @file
/// Options that verbs share. Those of one verb are in its own file, and are declared next to it.

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

/// For verbs that run on one of several devices.
void add_device_options(CLI::App& app, Options& o, Typed& typed);

/// For verbs that take the files of a CUDA program instead of steps.
void add_program_options(CLI::App& app, Options& o, Typed& typed);

/// For verbs that know problem sizes by name.
void add_class(CLI::App& app, Options& o);

/// For verbs that take a user's own matrix; after the options that it excludes.
void add_matrix(CLI::App& app, Options& o);

/// For verbs whose exit status says how steps were judged.
void add_strict(CLI::App& app, Options& o);

/// One problem size.
void add_size(CLI::App& app, Typed& typed);

/// What decides inputs: seed and size.
void add_inputs(CLI::App& app, Typed& typed);

/// For verbs that run steps.
void add_step_options(CLI::App& app, Options& o, Typed& typed);

/// For verbs that judge steps, and whose exit status says how.
void add_judge_options(CLI::App& app, Options& o, Typed& typed);

/// A row of the table for a verb without options.
void add_no_options(CLI::App& app, Options& o, Typed& typed);

/// A row of the table for a verb that only writes a document of its results.
void add_json_option(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
