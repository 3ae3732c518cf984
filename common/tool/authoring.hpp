#pragma once
/// @file
/// The verbs of those who write lessons: new files, stored results.

#include "common/tool/context.hpp"

namespace ladder {

/// The verb new. @return the exit status
int new_files(Context& context);

/// `new course FOLDER [LESSONS]`: skeletons that are cut rung by rung (course.hpp). @throws UsageError
void new_course(Context& context);

/// `new release FOLDER STEPS`: their solutions, and the later skeletons with what they have of them. @throws UsageError
void new_release(Context& context);

/// The verb results. @return the exit status
int stored_results(Context& context);

}  // namespace ladder
