#pragma once
/// @file
/// What root may do and an ordinary user may not.

namespace ladder::confine {

/// Gives it up, for this process and all that it becomes and starts, but for reading and writing files of other owners: root may
/// have got the project from somebody. Nothing to give up as an ordinary user.
void become_ordinary();

}  // namespace ladder::confine
