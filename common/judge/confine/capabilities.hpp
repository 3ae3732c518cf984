#pragma once
/// @file
/// What root may do and an ordinary user may not.

namespace ladder::confine {

/// Drops root's capabilities, for this process and all programs that it executes or starts. An ordinary user
/// has nothing to drop.
/// @param files_of_others  reading and writing files of other owners stays allowed: the project's files may
/// belong to another user
void drop_capabilities(bool files_of_others);

/// Becomes another user without any capability, forever. @throws ladder::Error
void become_user(unsigned uid, unsigned gid);

}  // namespace ladder::confine
