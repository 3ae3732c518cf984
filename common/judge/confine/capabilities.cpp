#include "common/judge/confine/capabilities.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "common/base/error.hpp"

namespace ladder::confine {

void drop_capabilities(bool files_of_others) {
  const std::uint32_t kept =  // both in the first word
      files_of_others ? 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH : 0;
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

void become_user(unsigned uid, unsigned gid) {
  if (::setgroups(0, nullptr) != 0 || ::setresgid(gid, gid, gid) != 0 || ::setresuid(uid, uid, uid) != 0)
    throw Error("cannot become uid " + std::to_string(uid) + ": " + std::strerror(errno));
  drop_capabilities(false);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, words) != 0 || words[0].permitted || words[1].permitted)
    throw Error("capabilities are left to uid " + std::to_string(uid));
}

}  // namespace ladder::confine
