#pragma once
/// @file
/// In the observed mode: copies and fills by the C library are accesses too, and what kernels print must be
/// waited for. First of all headers, before anything calls them.

#ifdef LADDER_EXECUTOR_OBSERVED
#ifdef __clang__
#error the observed mode needs g++: clang++ takes vector accesses apart and its counters would be wrong
#endif
#include <string.h>

extern "C" {
int printf(const char* __restrict format, ...) __asm__("ladder_observed_printf");
int puts(const char* text) __asm__("ladder_observed_puts");
int putchar(int letter) __asm__("ladder_observed_putchar");
void* ladder_observed_memcpy(void* to, const void* from, size_t bytes) noexcept;
void* ladder_observed_memmove(void* to, const void* from, size_t bytes) noexcept;
void* ladder_observed_memset(void* to, int value, size_t bytes) noexcept;

// g++ makes an assignment of a copy of these sizes before the hooks are placed, and of other sizes plain
// moves after that: those must not reach it as copies. Inline functions, as glibc's fortified ones are:
// std::memcpy is the same function.
#define LADDER_EXECUTOR_IS_ASSIGNMENT(BYTES) \
  (__builtin_constant_p(BYTES) && (BYTES) <= 16 && ((BYTES) & ((BYTES)-1)) == 0)
#define LADDER_EXECUTOR_C_FUNCTION(TYPE) \
  extern inline __attribute__((always_inline, gnu_inline, artificial)) TYPE
LADDER_EXECUTOR_C_FUNCTION(void*) memcpy(void* to, const void* from, size_t bytes) noexcept {
  return LADDER_EXECUTOR_IS_ASSIGNMENT(bytes) ? __builtin_memcpy(to, from, bytes)
                                              : ladder_observed_memcpy(to, from, bytes);
}
LADDER_EXECUTOR_C_FUNCTION(void*) memmove(void* to, const void* from, size_t bytes) noexcept {
  return LADDER_EXECUTOR_IS_ASSIGNMENT(bytes) ? __builtin_memmove(to, from, bytes)
                                              : ladder_observed_memmove(to, from, bytes);
}
LADDER_EXECUTOR_C_FUNCTION(void*) memset(void* to, int value, size_t bytes) noexcept {
  return ladder_observed_memset(to, value, bytes);
}
#undef LADDER_EXECUTOR_C_FUNCTION
#undef LADDER_EXECUTOR_IS_ASSIGNMENT
}

// What std::copy, std::fill and their like call.
#define __builtin_memcpy(...) ::memcpy(__VA_ARGS__)
#define __builtin_memmove(...) ::memmove(__VA_ARGS__)
#define __builtin_memset(...) ::memset(__VA_ARGS__)
#endif
