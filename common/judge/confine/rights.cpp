#include "common/judge/confine/rights.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

namespace ladder::confine {

void become_ordinary() {
  constexpr std::uint32_t kept =
      1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;  // both in the first word
  for (unsigned long right = 0; right < 64; ++right)
    if (right >= 32 || !(kept >> right & 1))
      ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);  // else a program that root executes has it again
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, words) != 0) return;
  for (std::uint32_t* const set : {&words[0].effective, &words[0].permitted}) *set &= kept;
  words[0].inheritable = words[1].effective = words[1].permitted = words[1].inheritable = 0;
  ::syscall(SYS_capset, &header, words);
}

}  // namespace ladder::confine
