#include "common/tool/student/doctor_report.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "common/base/text/text.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr std::size_t line_width = 80, max_failures = 10;

std::string word(const json& object, const char* field) {
  const json value = object.is_object() ? object.value(field, json()) : json();
  return value.is_string() ? value.get<std::string>() : "";
}

double amount(const json& object, const char* field) {
  const json value = object.is_object() ? object.value(field, json()) : json();
  return value.is_number() ? value.get<double>() : 0;
}

/// One line, however long: see wrapped_items().
std::string item(std::string text) {
  replace_all(text, "\n", " ");
  return "- " + text + "\n";
}

/// Items go on with an indent where they are too long.
std::string wrapped_items(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("- ")) {
      out += line + "\n";
      continue;
    }
    const char* before = "- ";
    for (const std::string& part : report::wrapped(line.substr(2), line_width - 4)) {
      out += before + part + "\n";
      before = "  ";
    }
  }
  return out;
}

std::string devices_text(const model::Machine& machine) {
  std::string out;
  for (const model::Device& d : machine.devices)
    out += item(fmt::format("{}: {}, {} units, {:.0f} GB: {}", d.id, d.name, d.compute_units,
                            d.memory_bytes / 1e9, d.available ? "ready" : "not usable: " + d.reason));
  if (machine.cuda && !machine.cuda->reason.empty()) out += item("cuda: " + machine.cuda->reason);
  if (machine.opencl && !machine.opencl->reason.empty()) out += item("opencl: " + machine.opencl->reason);
  return out;
}

std::string versions_text(const model::Machine& machine) {
  std::string line;
  for (const auto& [name, version] : machine.versions)
    line += fmt::format("{}{} {}", line.empty() ? "" : " · ", name, version);
  if (machine.cuda && !machine.cuda->driver.empty()) line += " · NVIDIA driver " + machine.cuda->driver;
  return line.empty() ? "" : item(line);
}

std::string missing_text(const std::vector<model::MissingSoftware>& missing) {
  std::string out;
  for (const model::MissingSoftware& m : missing)
    out += item(fmt::format("{}: {}. To get it: {}", m.name, m.cost, m.install));
  return out.empty() ? "- nothing\n" : out;
}

std::string confinement_text(const model::Machine& machine) {
  const model::Confinement how = machine.confinement.value_or(model::Confinement{});
  if (!how.problem.empty()) return item("not known: " + how.problem);
  std::string out;
  for (const std::string& gap : how.gaps.value_or(std::vector<std::string>{})) out += item("rungs " + gap);
  if (machine.container_toolkit && !machine.container_toolkit->warning.empty())
    out += item(machine.container_toolkit->warning);
  return out.empty() ? "- complete\n" : out;
}

/// The last verdict of each step that did not pass, the newest first.
std::string failures_text(const json& verdicts) {
  std::vector<std::pair<double, std::string>> all;
  for (const auto& [step, last] : verdicts.items()) {
    const std::string verdict = word(last, "verdict");
    if (verdict.empty() || verdict == "PASS" || verdict == "NOT STARTED") continue;
    if (verdict == "SKIPPED") continue;  // kept of what is right only
    all.emplace_back(amount(last, "time"),
                     fmt::format("{}: {}, {} ({})", step, verdict, word(last, "message"),
                                 word(last, "device").empty() ? "no device" : word(last, "device")));
  }
  std::sort(all.rbegin(), all.rend());
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), max_failures); ++i) out += item(all[i].second);
  return out.empty() ? "- none\n" : out;
}

}  // namespace

Private Private::here(const std::string& root, const std::string& build) {
  Private p;
  p.root = root, p.build = build;
  if (const passwd* who = ::getpwuid(::getuid())) p.user = who->pw_name, p.home = who->pw_dir;
  if (const char* home = std::getenv("HOME"); home && *home) p.home = home;
  if (const char* user = std::getenv("USER"); user && *user) p.user = user;
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) == 0) p.host = host;
  return p;
}

std::string Private::removed(std::string text) const {
  for (const std::string& folder : {build, root, home})
    if (folder.size() > 1) replace_all(text, folder, "");
  static const std::regex path(R"((^|[\s'"(=:,])/(?:[^\s'"():,]*/)?([^\s/'"():,]+))");
  text = std::regex_replace(text, path, "$1$2");
  const auto cover = [&](const std::string& name, const char* with) {
    if (name.size() < 2) return;
    static const std::regex special(R"([^A-Za-z0-9_-])");
    const std::regex whole("(^|[^A-Za-z0-9_])" + std::regex_replace(name, special, "\\$&") +
                           "(?![A-Za-z0-9_])");
    text = std::regex_replace(text, whole, std::string("$1") + with);
  };
  cover(host, "HOST");
  cover(user, "USER");
  return text;
}

std::string doctor_report(const model::Machine& machine, const std::string& handout, const json& verdicts,
                          const Private& secrets) {
  std::string out = fmt::format("GPU Ladder, doctor --report, {}\n{}\n\n", report::now(),
                                handout.empty() ? "a clone" : "handout " + handout);
  out += item(fmt::format("{}, {} cores, {:.0f} GB", machine.cpu, machine.cores, machine.memory_bytes / 1e9));
  out += item(fmt::format("{}, Linux {}", machine.os, machine.kernel));
  out += "\nDevices\n" + devices_text(machine) + "\nVersions\n" + versions_text(machine) + "\nMissing\n" +
         missing_text(machine.missing.value_or(std::vector<model::MissingSoftware>{})) +
         "\nConfinement of rungs\n" + confinement_text(machine) + "\nLast verdicts that did not pass\n" +
         failures_text(verdicts);
  // First private names: a line may break within one that has blanks.
  return wrapped_items(secrets.removed(out));
}

}  // namespace ladder
