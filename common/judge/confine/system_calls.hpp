#pragma once
/// @file
/// seccomp: the system calls by which a process reaches others, or changes what Landlock does not cover. They
/// fail with EPERM.

namespace ladder::confine {

/// Which sockets remain allowed.
enum class Sockets {
  none,     ///< pairs that are connected from the start
  unheard,  ///< also Unix sockets that cannot connect: NVIDIA's driver binds a name to one
  tcp,      ///< also TCP, between processes of MPI and mpirun; Landlock says to which port
  any,      ///< for mpirun itself, in a network of its own
};

/// Which calls remain allowed.
struct Calls {
  Sockets sockets = Sockets::none;
  bool processes = true;  ///< else only threads can be started
  /// Not a worker but a compiler or mpirun, as a user of its own: it signals the processes that it has
  /// started, and changes modes and dates of its own files.
  bool own_user = false;
  bool ipc =
      true;  ///< System V and POSIX queues, semaphores, shared memory, which stay when a process has ended
};

/// Refuses all others; this cannot be undone. The program that this process executes may send signals to
/// itself, by its present process number. no_new_privs must be set.
/// @return 0, or the errno of what failed
int refuse_system_calls(const Calls& left);

}  // namespace ladder::confine
