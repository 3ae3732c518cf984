#pragma once
/// @file
/// Replaces LLVM's header, which oclgrind/Kernel.h includes for two functions that nobody here calls: a
/// declaration is enough, and the plugin needs no package of LLVM.

namespace llvm {
class StringRef;
}
