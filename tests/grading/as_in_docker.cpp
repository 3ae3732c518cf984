// Runs a command as Docker would run it without options: the system calls of a profile in Docker's form
// (default.json of moby/profiles/seccomp), and the capabilities that Docker leaves root. For measuring what
// grading does there where there is no Docker; namespaces and folders stay the machine's own. Needs root.
//     g++ -std=c++20 as_in_docker.cpp -lseccomp -o /tmp/as_in_docker
//     /tmp/as_in_docker default.json ./ladder grade …
#include <linux/capability.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

const std::map<std::string, unsigned> kept = {{"CAP_CHOWN", CAP_CHOWN},
                                              {"CAP_DAC_OVERRIDE", CAP_DAC_OVERRIDE},
                                              {"CAP_FOWNER", CAP_FOWNER},
                                              {"CAP_FSETID", CAP_FSETID},
                                              {"CAP_KILL", CAP_KILL},
                                              {"CAP_SETGID", CAP_SETGID},
                                              {"CAP_SETUID", CAP_SETUID},
                                              {"CAP_SETPCAP", CAP_SETPCAP},
                                              {"CAP_NET_RAW", CAP_NET_RAW},
                                              {"CAP_MKNOD", CAP_MKNOD},
                                              {"CAP_SETFCAP", CAP_SETFCAP},
                                              {"CAP_SYS_CHROOT", CAP_SYS_CHROOT},
                                              {"CAP_AUDIT_WRITE", CAP_AUDIT_WRITE},
                                              {"CAP_NET_BIND_SERVICE", CAP_NET_BIND_SERVICE}};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "as_in_docker: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(125);
}

bool has_any(const json& names, const auto& wanted) {
  return std::any_of(names.begin(), names.end(),
                     [&](const json& name) { return wanted(name.get<std::string>()); });
}

/// Whether a rule is for this machine and for a root with these capabilities.
bool applies(const json& rule) {
  const auto is_kept = [](const std::string& name) { return kept.contains(name); };
  const auto is_ours = [](const std::string& name) { return name == "amd64"; };
  const json includes = rule.value("includes", json::object()),
             excludes = rule.value("excludes", json::object());
  if (includes.contains("caps") && !has_any(includes["caps"], is_kept)) return false;
  if (includes.contains("arches") && !has_any(includes["arches"], is_ours)) return false;
  return !(excludes.contains("caps") && has_any(excludes["caps"], is_kept)) &&
         !(excludes.contains("arches") && has_any(excludes["arches"], is_ours));
}

unsigned action_of(const json& rule, unsigned usual) {
  if (rule.at("action") == "SCMP_ACT_ALLOW") return SCMP_ACT_ALLOW;
  return SCMP_ACT_ERRNO(rule.value("errnoRet", usual));
}

scmp_arg_cmp argument(const json& arg) {
  static const std::map<std::string, scmp_compare> operators = {{"SCMP_CMP_NE", SCMP_CMP_NE},
                                                                {"SCMP_CMP_LT", SCMP_CMP_LT},
                                                                {"SCMP_CMP_LE", SCMP_CMP_LE},
                                                                {"SCMP_CMP_EQ", SCMP_CMP_EQ},
                                                                {"SCMP_CMP_GE", SCMP_CMP_GE},
                                                                {"SCMP_CMP_GT", SCMP_CMP_GT},
                                                                {"SCMP_CMP_MASKED_EQ", SCMP_CMP_MASKED_EQ}};
  return {arg.at("index"), operators.at(arg.at("op")), arg.at("value"),
          arg.value("valueTwo", std::uint64_t{0})};
}

void load(const json& profile) {
  const unsigned usual = profile.value("defaultErrnoRet", unsigned{EPERM});
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(usual));
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);  // Docker does not set it
  for (const json& rule : profile.at("syscalls")) {
    if (!applies(rule)) continue;
    std::vector<scmp_arg_cmp> arguments;
    for (const json& arg : rule.value("args", json::array())) arguments.push_back(argument(arg));
    for (const std::string name : rule.at("names")) {
      const int number = seccomp_syscall_resolve_name(name.c_str());
      if (number == __NR_SCMP_ERROR) continue;  // of another machine
      seccomp_rule_add_array(filter, action_of(rule, usual), number, static_cast<unsigned>(arguments.size()),
                             arguments.data());
    }
  }
  if (const int failed = seccomp_load(filter); failed != 0) errno = -failed, fail("seccomp");
}

void drop_capabilities() {
  std::uint64_t mask = 0;
  for (const auto& [_, number] : kept) mask |= std::uint64_t{1} << number;
  for (unsigned long one = 0; one <= CAP_LAST_CAP; ++one)
    if ((mask >> one & 1) == 0) prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  for (const int half : {0, 1})
    data[half].effective = data[half].permitted = static_cast<std::uint32_t>(mask >> (32 * half));
  if (syscall(SYS_capset, &header, data) != 0) fail("capset");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "as_in_docker PROFILE.json COMMAND …\n"), 125;
  std::ifstream file(argv[1]);
  if (!file) fail(argv[1]);
  const json profile = json::parse(file);
  load(profile);
  drop_capabilities();
  execvp(argv[2], argv + 2);
  fail(argv[2]);
}
