#include "common/executor/observe/finding_list.hpp"

#include <algorithm>

#include "common/executor/observe/races/detector_mutex.hpp"
#include "common/executor/observe/races/race_finding.hpp"

namespace ladder::executor {
namespace {

int rank(const Finding& finding) {
  if (finding.fatal) return 0;  // the finding that ended the program comes first
  return finding.severity == "error" ? 1 : finding.severity == "warning" ? 2 : 3;
}

/// An index computed from an undefined value may be anything: where it led explains nothing.
bool may_cause(const Finding& finding, const Finding& end) {
  return finding.kind == "uninitialised" && finding.severity == "error" && end.kind == "out-of-bounds" &&
         !end.kernel.empty() && finding.kernel == end.kernel && finding.site.file == end.site.file &&
         finding.site.line <= end.site.line;
}

}  // namespace

FindingList& FindingList::get() {
  static FindingList* const list =
      new FindingList;  // never destroyed: used until the very end of the process
  return *list;
}

/// The order of the two lines may differ from run to run: they count as one pair.
FindingList::Key FindingList::key_of(const Finding& finding) {
  Line one{finding.site.file, finding.site.line, finding.operation}, other;
  if (finding.other) other = {finding.other->site.file, finding.other->site.line, finding.other->operation};
  if (other < one) std::swap(one, other);
  // Without a line, the message distinguishes two of them.
  const std::string text = finding.site.line == 0 ? finding.message : "";
  return {finding.kind, finding.severity, finding.kernel, one, other, text};
}

void FindingList::add(Finding finding, bool narrow) {
  const DetectorLock lock(mutex_);
  const std::uint64_t count = finding.count;
  const auto [place, is_new] = findings_.try_emplace(key_of(finding), finding);
  const Key& key = place->first;
  place->second.fatal |= finding.fatal;
  if (is_new) {
    if (narrow) narrow_.insert(key);
    return;
  }
  if (!narrow && narrow_.erase(key) > 0) {
    finding.count = place->second.count;
    finding.fatal = place->second.fatal;
    place->second = std::move(finding);
  }
  place->second.count += count;
}

/// Of one line some conflicts may write the same by chance, where others are a race.
bool FindingList::explained_by_race(const Finding& finding) const {
  if (finding.kind != "same-value-race" && finding.severity != "note") return false;
  return std::ranges::any_of(findings_, [&](const auto& entry) {
    const Finding& other = entry.second;
    return other.severity == "error" && other.kernel == finding.kernel && other.kind.ends_with("-race") &&
           other.site.file == finding.site.file && other.site.line == finding.site.line;
  });
}

std::vector<Finding> FindingList::all() const {
  const DetectorLock lock(mutex_);
  std::vector<Finding> result;
  for (const auto& [key, finding] : findings_)
    if (!explained_by_race(finding)) result.push_back(finding);
  // Of several races the first one is reported in full, with its fix: one across warps needs a stronger one.
  const auto key = [](const Finding& f) {
    return std::tuple(rank(f), f.meaning == warp_barrier_is_enough, f.site.file, f.site.line);
  };
  std::ranges::stable_sort(result, [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  if (!result.empty() && result.front().fatal)
    std::ranges::stable_partition(result,
                                  [end = result.front()](const Finding& f) { return may_cause(f, end); });
  return result;
}

void FindingList::clear() {
  const DetectorLock lock(mutex_);
  findings_.clear();
  narrow_.clear();
}

}  // namespace ladder::executor
