#pragma once
/// @file
/// Whether a program may be compiled with every copy that it writes.

#include <string>
#include <string_view>

namespace ladder::rewriter {

/// Whether a class of the source has a destructor that does something and no copy or move constructor of its
/// own. Such a class is right as long as the compiler leaves out the copy that `return local;` makes, as g++
/// and nvcc do: with it, two objects would free one thing.
bool relies_on_elision(std::string_view text, const std::string& name);

}  // namespace ladder::rewriter
