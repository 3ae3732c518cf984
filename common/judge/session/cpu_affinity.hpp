#pragma once
/// @file
/// Where a worker's threads run in a timed call.

#include <sys/types.h>

namespace ladder {

/// Gives each thread of a worker that waits for "go" a core of its own, the first thread the first core: a
/// thread that sleeps until another one wakes it may wake up on that one's core and stay there, and two
/// threads are then no faster than one in some calls. Where there are more threads than cores, each has all
/// of them. With "go" the first thread gets all cores back (Backend::go()): threads that the call starts
/// inherit what it has. Libraries and steps cannot do it themselves: a worker may bind no thread but the one
/// that runs, so OMP_PROC_BIND fails.
void pin_threads(pid_t worker);

}  // namespace ladder
