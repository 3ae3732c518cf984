// what starts programs and opens files by other names of the same functions
// verdict REVIEW
// must (__fork)
// must (__libc_system)
// must (__open64)
// must (wordexp)
// must (setmntent)
// must starts other programs
// must opens files
#include <mntent.h>
#include <wordexp.h>

#include <cstdio>

#include "honest.cuh"

extern "C" int __fork();
extern "C" int __libc_system(const char*);
extern "C" int __open64(const char*, int, ...);
extern "C" long __read(int, void*, size_t);
extern "C" char** __environ;

namespace {

struct AtLoad {
  AtLoad() {
    wordexp_t words;
    char bytes[64];
    if (__environ && wordexp("$(echo ladder-attack)", &words, 0) == 0) wordfree(&words);
    if (FILE* mounts = setmntent("/proc/mounts", "r")) endmntent(mounts);
    if (__read(__open64("/proc/1/cmdline", 0), bytes, sizeof bytes) < -1) __libc_system("true");
    if (bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3) __fork();
  }
} at_load;

}  // namespace

void dgemm::naive(const Problem& p) {
  honest(p);
}
