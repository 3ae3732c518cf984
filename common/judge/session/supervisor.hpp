#pragma once
/// @file
/// Makes everything that the judge has started end with it: it inherits orphans and ends them.

#include <sys/types.h>

#include <mutex>

namespace ladder {

/// Makes this process the one that inherits orphans. From now on SIGINT, SIGTERM, SIGHUP and the end of the
/// parent end all that it has started, then the process itself with the exit code 128 + signal.
void become_supervisor();

/// Held while a process is started and while a record is written. The thread that ends everything takes it
/// and never releases it: then no process is missed, and no worker's end is recorded as a verdict about its
/// step.
std::mutex& ending_gate();

/// A process that supervises itself, from its start to its end: end_orphans() leaves it alone.
void supervise(pid_t child);
void supervise_no_more(pid_t child);

/// Ends processes that workers have left running: children of this process that are neither supervised nor of
/// its own session. A worker begins a session, and no process can enter another's, so a child that this
/// program starts in any other way is never taken for an orphan.
void end_orphans();

}  // namespace ladder
