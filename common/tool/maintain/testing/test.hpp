#pragma once
/// @file
/// The verb of test.cpp.

namespace ladder {

struct Context;

/// The verb test: the tests of the repository. @return the exit status
int test(Context& context);

}  // namespace ladder
