#pragma once
/// @file
/// A network that is this process's own: the loopback interface and nothing else, so that what it starts reaches no other machine.

namespace ladder::confine {

/// Moves into a network namespace of its own where the kernel lets this user make one; else stays where it was.
/// @return 0, or the errno of what failed
int enter_own_network();

}  // namespace ladder::confine
