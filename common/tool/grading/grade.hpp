#pragma once
/// @file
/// The verbs of grade.cpp.

namespace ladder {

struct Context;

/// The verb grade: judges untrusted submissions. @return the exit status
int grade_submissions(Context& context);

/// `grade key`: a new class key. @return the exit status
int new_class_key(Context& context);

/// `grade merge`: the results of several machines as one. @return the exit status
int merge_shards(Context& context);

}  // namespace ladder
