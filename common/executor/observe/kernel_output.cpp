/// @file
/// What the C library's functions that print are in observed programs (include/executor/observed.h): a kernel
/// that prints is noted, since its text is lost when the host does not wait for the kernel.

#include <cstdarg>
#include <cstdio>

#include "common/executor/observe/findings.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace {

void note() {
  if (ladder::executor::in_kernel()) ladder::executor::kernel_prints();
}

}  // namespace

extern "C" {

__attribute__((format(printf, 1, 2))) int ladder_observed_printf(const char* format, ...) {
  note();
  va_list values;
  va_start(values, format);
  const int printed = std::vprintf(format, values);
  va_end(values);
  return printed;
}
int ladder_observed_puts(const char* text) {
  note();
  return std::puts(text);
}
int ladder_observed_putchar(int letter) {
  note();
  return std::putchar(letter);
}

}  // extern "C"
