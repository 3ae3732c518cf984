#pragma once
/// @file
/// What the verb profile does once for steps and programs alike.

#include <nlohmann/json.hpp>

#include "common/report/results/profile.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// Fills what does not depend on what was run: the device of --as, the texts of the files that lines name,
/// machine and date.
void complete_profile(Context& context, report::Profile& profile);

/// Prints a profile, and writes --html and --trace.
void show_profile(Context& context, const report::Profile& profile);

/// The profile of one step from a judge's record. @param hardware  null: there is none
report::Profile profile_of(Context& context, const StepEntry& step, const nlohmann::json& record,
                           const nlohmann::json& hardware);

/// What the last profile of a step of the student's left for ./ladder report.
std::filesystem::path kept_profile_file(const Context& context, const StepEntry& step);
void keep_profile(const Context& context, const StepEntry& step, const report::Profile& profile);

/// profile FILE.cu …: a program with its own main. @return the exit status
int profile_program(Context& context);

/// The verb profile: what a step or a program does on its device. @return the exit status
int profile(Context& context);

/// The options of `profile`.
void add_profile_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
