#pragma once
/// @file
/// A network namespace with only the loopback interface, so that the processes that this one starts reach no
/// other machine.

namespace ladder::confine {

/// Moves into a new network namespace if the kernel lets this user create one; otherwise nothing changes.
/// @return 0, or the errno of what failed
int enter_own_network();

}  // namespace ladder::confine
