#include "common/trace/oclgrind/oclgrind_log.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "common/trace/oclgrind/oclgrind_message.hpp"
#include "common/trace/oclgrind/oclgrind_words.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_findings = 1000;

/// What a message is about: how its first line begins, and what that is here.
struct Topic {
  std::string_view beginning;
  const char* kind;
  const char* meaning;
};

constexpr const char* of_race =
    "The work-items run in no particular order, so the result depends on chance; only barriers order those "
    "of one "
    "work-group, and nothing orders work-groups.";
constexpr const char* of_bounds =
    "On a device it may read or destroy other data, or end the program, or seem to work.";
constexpr const char* of_uninitialised = "It holds leftovers of something else, different on each device.";
constexpr const char* of_barrier =
    "A work-group waits at a barrier until all of its work-items are there: on a device this may never end.";
constexpr const char* of_flags = "The flags of the buffer promised the device that this does not happen.";
constexpr const char* of_alignment = "A device may read other bytes than meant, or end the program.";

constexpr Topic topics[] = {
    {"Read-write data race", "race", of_race},
    {"Write-write data race", "race", of_race},
    {"Invalid read of size", "out-of-bounds", of_bounds},
    {"Invalid write of size", "out-of-bounds", of_bounds},
    {"Index (", "out-of-bounds", of_bounds},
    {"Uninitialized value written", "uninitialised", of_uninitialised},
    {"Uninitialized address", "uninitialised", of_uninitialised},
    {"Controlflow depends on uninitialized", "uninitialised", of_uninitialised},
    {"Instruction depends on an uninitialized", "uninitialised", of_uninitialised},
    {"Work-group divergence detected (barrier)", "barrier", of_barrier},
    {"Work-group divergence detected (async copy)", "barrier",
     "All work-items of a group must make the same copy; what this one does is not defined."},
    {"Invalid read from write-only", "host-access", of_flags},
    {"Invalid write to read-only", "host-access", of_flags},
    {"Invalid read from buffer mapped", "host-access",
     "The host holds this part of the buffer mapped at that time."},
    {"Invalid write to mapped", "host-access", "The host holds this part of the buffer mapped at that time."},
    {"Unaligned address", "misaligned", of_alignment},
    {"Invalid memory load", "misaligned", of_alignment},
    {"Invalid memory store", "misaligned", of_alignment},
    {"Work-item finished without waiting", "missing-dependence",
     "The copy may not have happened when its result is used."},
    {"Invalid wait event", "missing-dependence", "The copy may not have happened when its result is used."},
};

const Topic* topic_of(std::string_view headline) {
  const auto found =
      std::ranges::find_if(topics, [&](const Topic& topic) { return headline.starts_with(topic.beginning); });
  return found == std::end(topics) ? nullptr : found;
}

std::string kind_of(const Topic& topic, const OclgrindMessage& message) {
  if (std::string_view(topic.kind) == "race") return message.space == "local" ? "shared-race" : "global-race";
  // Buffers are numbered from 1: an address below the first one was made from a null pointer.
  if (std::string_view(topic.kind) == "out-of-bounds" && message.space == "global" && message.is_null)
    return "null";
  return topic.kind;
}

Finding finding_of(const OclgrindMessage& message, const Topic& topic, const KernelFile& file) {
  const auto place_of = [&](const OclgrindParty& party) {
    return place_in(file, party.file, party.line, party.source_text);
  };
  Finding finding;
  finding.kind = kind_of(topic, message);
  finding.severity = "error";
  finding.kernel = message.kernel;
  finding.meaning = topic.meaning;
  finding.address = address_of(message);
  if (!message.parties.empty()) {
    const OclgrindParty& first = message.parties.front();
    finding.site = place_of(first);
    finding.block = first.group;
    finding.thread = first.local;
    finding.operation = finding.kind == "barrier" ? "barrier" : first.operation;
  }
  if (message.parties.size() > 1) {
    const OclgrindParty& second = message.parties[1];
    finding.other = Finding::Other{place_of(second), second.group, second.local, second.operation};
  }
  finding.message = text_of(finding, message);
  if (message.same_value) {
    finding.kind = "same-value-race";
    finding.severity = "warning";
    finding.meaning =
        "All write the same value, so the result is right on most devices; OpenCL does not promise it.";
  }
  return finding;
}

/// What makes two findings the same one: all but the work-items and the address.
using Subject = std::tuple<std::string, std::string, std::pair<int, int>, std::string, std::string>;
Subject subject(const Finding& f) {
  const std::string object = f.address.substr(0, f.address.find_first_of(" ["));
  std::pair<int, int> lines{f.site.line, f.other ? f.other->site.line : 0};
  if (f.other && lines.second < lines.first)
    std::swap(lines.first, lines.second);  // either party may come first
  return {f.kind, f.kernel, lines, f.site.file, object};
}

bool is_on_line(const Finding& finding, const SourceLine& site) {
  const auto same = [&](const SourceLine& a) { return a.file == site.file && a.line == site.line; };
  return same(finding.site) || (finding.other && same(finding.other->site));
}

/// Whether @p finding says again what @p cause says.
bool is_consequence(const Finding& finding, const Finding& cause) {
  if (cause.severity != "error" || cause.kernel != finding.kernel || !is_on_line(cause, finding.site))
    return false;
  // Oclgrind runs work-items one after the other: what a race, or an index outside, makes a line read has
  // often not been written.
  if (finding.kind == "uninitialised") return cause.kind != "uninitialised";
  // An array of a known length: the message has the index, and then the address.
  return finding.kind == "out-of-bounds" && cause.kind == "out-of-bounds" && finding.address.empty() &&
         !cause.address.empty();
}

void drop_consequences(std::vector<Finding>& findings) {
  const std::vector<Finding> all = findings;
  std::erase_if(findings, [&](const Finding& finding) {
    return std::ranges::any_of(all, [&](const Finding& cause) { return is_consequence(finding, cause); });
  });
}

/// What explains most comes first.
int rank(const Finding& finding) {
  constexpr std::string_view order[] = {"null",        "out-of-bounds", "misaligned",  "barrier",
                                        "shared-race", "global-race",   "host-access", "missing-dependence"};
  if (finding.severity != "error") return 100;
  return static_cast<int>(std::ranges::find(order, finding.kind) - std::begin(order));
}

}  // namespace

Observation parse_oclgrind_log(std::string_view log, const KernelFile& file) {
  Observation observation;
  observation.device = "oclgrind";
  std::map<Subject, std::size_t> places;  // in the findings
  for (const OclgrindMessage& message : split_oclgrind_log(log)) {
    if (message.headline.find("FATAL ERROR") != std::string::npos) {
      observation.incomplete = "Oclgrind cannot run this kernel: " + message.detail;
      continue;
    }
    if (message.headline.starts_with("Unwritten memory is no longer"))
      observation.incomplete = message.headline;
    const Topic* topic = topic_of(message.headline);
    if (!topic) continue;  // a note of its own, as "suppressing further errors"
    Finding finding = finding_of(message, *topic, file);
    const auto [known, is_new] = places.emplace(subject(finding), observation.findings.size());
    if (!is_new)
      ++observation.findings[known->second].count;
    else if (observation.findings.size() < max_findings)
      observation.findings.push_back(std::move(finding));
    else
      places.erase(known);
  }
  drop_consequences(observation.findings);
  std::ranges::stable_sort(observation.findings, {}, rank);
  return observation;
}

}  // namespace ladder
