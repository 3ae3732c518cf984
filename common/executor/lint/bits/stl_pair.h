#pragma once
/// @file
/// std::pair without constraints on its assignment. Clang before 16 crashes where a structure has a member
/// whose operator= is deleted, and is there again with a `requires`. A node of std::map<std::string, …> is
/// such a structure.

#include <bits/move.h>
#include <bits/utility.h>

#include <type_traits>
#if __cplusplus > 201703L
#include <compare>
#endif

#pragma push_macro("__cpp_lib_concepts")
#undef __cpp_lib_concepts
#include_next <bits/stl_pair.h>
#pragma pop_macro("__cpp_lib_concepts")
