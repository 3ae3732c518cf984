// No #pragma once: each header that leaves functions out of the hooks includes this behind its other headers,
// and executor/unobserved_end.h at its end, so that no step has the word.

/// In front of functions of these headers that handle memory of the executor, not of the student: the
/// observed mode's hooks are left out of them.
#if !defined(LADDER_EXECUTOR_OBSERVED)
#define LADDER_EXECUTOR_UNOBSERVED
#elif defined(__clang__)
#define LADDER_EXECUTOR_UNOBSERVED __attribute__((noinline, no_sanitize("thread", "coverage")))
#else
#define LADDER_EXECUTOR_UNOBSERVED __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
#endif
