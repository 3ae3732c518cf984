#pragma once
/// @file
/// seccomp: the system calls by which a process reaches others, or changes what Landlock does not cover. They fail with EPERM.

namespace ladder::confine {

/// Which sockets remain allowed.
enum class Sockets {
  none,     ///< pairs that are connected from the start
  unheard,  ///< also Unix sockets that cannot connect: NVIDIA's driver binds a name to one
  tcp,      ///< also TCP, between processes of MPI and mpirun; Landlock says to which port
};

/// Refuses these calls; this cannot be undone. The program that this process executes may send signals to itself, by its
/// present process number. no_new_privs must be set.
/// @return 0, or the errno of what failed
int refuse_system_calls(Sockets left);

}  // namespace ladder::confine
