#pragma once
/// @file
/// Whether a thread that makes no progress is in a loop that cannot end.

#include <pthread.h>

namespace ladder::executor {

/// Looks at the thread some hundred times: true when its registers are the same each time that it is at the
/// same instruction. Then it does the same again and again, as long as no other thread changes the memory
/// that it reads. False where this processor's registers cannot be compared.
bool is_in_endless_loop(pthread_t thread);

}  // namespace ladder::executor
