#pragma once
/// @file
/// What root may do and an ordinary user may not.

namespace ladder::confine {

/// Drops root's capabilities, for this process and all programs that it executes or starts. Reading and writing files of other
/// owners stays allowed: the project's files may belong to another user. An ordinary user has nothing to drop.
void become_ordinary();

}  // namespace ladder::confine
