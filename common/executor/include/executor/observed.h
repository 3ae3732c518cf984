#pragma once
/// @file
/// In the observed mode: copies and fills by the C library are accesses too. First of all headers, before anything calls them.

#ifdef LADDER_EXECUTOR_OBSERVED
#ifdef __clang__
#error the observed mode needs g++: clang++ takes vector accesses apart and its counters would be wrong
#endif
#include <string.h>

extern "C" {
void* memcpy(void* to, const void* from, size_t bytes) noexcept __asm__("ladder_observed_memcpy");
void* memmove(void* to, const void* from, size_t bytes) noexcept __asm__("ladder_observed_memmove");
void* memset(void* to, int value, size_t bytes) noexcept __asm__("ladder_observed_memset");
}
#endif
