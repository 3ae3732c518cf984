#pragma once
/// @file
/// seccomp: the system calls by which a process reaches others, or changes what Landlock does not watch. They fail with EPERM.

namespace ladder::confine {

/// Which sockets are left.
enum class Sockets {
  none,     ///< pairs that are connected from the start
  unheard,  ///< and Unix sockets that nobody can be called by: NVIDIA's driver names itself by one
  tcp,      ///< and TCP, which processes of MPI speak with mpirun; Landlock says to which port
};

/// Refuses them for good, to this process as it is now: what it becomes may send signals to itself by its present number.
/// no_new_privs must be set.
/// @return 0, or the errno of what failed
int refuse_system_calls(Sockets left);

}  // namespace ladder::confine
