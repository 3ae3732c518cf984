#include "common/tool/judging/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/base/json_file.hpp"

namespace ladder {

using nlohmann::json;

report::StepFacts facts(const Job& job) {
  const std::string data = job.step->row.is_object() ? job.step->row.value("data", "host") : "host";
  return {job.step->lesson,
          job.step->name,
          job.step->file,
          job.step->row.is_object() ? job.step->kind() : "R",
          job.tree,
          job.mutant,
          job.place.backend,
          job.place.device,
          data,
          job.source_sha256};
}

namespace {

/// A record with the documents that it names instead of their paths: the files go with the judge.
json with_documents(json record) {
  for (const char* field : {"observation", "trace"})
    if (const json path = record.value(field, json()); path.is_string())
      record[field] = read_json(path.get<std::string>());
  return record;
}

/// Whether the fields that are read of every record have the types that a judge gives them: a step may have
/// written the line.
bool is_record(const json& record) {
  if (!record.is_object() || !record.value("record", json()).is_string()) return false;
  const auto has_type = [&](std::initializer_list<const char*> fields, bool (*right)(const json&)) {
    return std::all_of(fields.begin(), fields.end(),
                       [&](const char* field) { return !record.contains(field) || right(record[field]); });
  };
  return has_type({"step", "tree", "mutant", "backend", "kind", "text", "title", "verdict", "message"},
                  [](const json& field) { return field.is_string(); }) &&
         has_type({"done", "of"}, [](const json& field) { return field.is_number(); });
}

}  // namespace

std::vector<json> Tail::fresh() {
  std::vector<json> records;
  std::ifstream in(file_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(read_));
  for (std::string line; std::getline(in, line) && !in.eof();) {
    read_ += line.size() + 1;
    json record = json::parse(line, nullptr, false);
    if (is_record(record))
      records.push_back(std::move(record));
    else
      ++bad_;
  }
  return records;
}

Collector::Collector(const Task& task, const std::function<void(const json&)>& ready)
    : task_(task), ready_(ready), by_job_(task.jobs.size()), told_(task.jobs.size()) {
  tell_decided();
}

void Collector::tell_decided() {
  for (std::size_t i = 0; i < task_.jobs.size(); ++i)
    if (task_.jobs[i].decided) tell(i, "");
}

void Collector::forget(std::size_t job) {
  std::erase_if(profiles, [&](const json& record) { return is_of(record, job); });
  by_job_[job].clear();
}

bool Collector::is_of(const json& record, std::size_t i) const {
  const Job& job = task_.jobs[i];
  return record.value("step", "") == job.step->name && record.value("tree", "") == job.tree &&
         record.value("mutant", "") == job.mutant &&
         record.value("backend", job.place.backend) == job.place.backend;
}

void Collector::take(const json& record) {
  const std::string kind = record.value("record", "");
  ++records_;
  if (kind == "reproduction") take_reproduction(record);
  const auto is = [&](TestKind one) { return kind == to_string(one); };
  if (is(TestKind::profile) || is(TestKind::hardware) || is(TestKind::costs))
    profiles.push_back(with_documents(record));
  if (kind == "progress" && record.value("of", 0.0) > 0) {
    part_ = record.value("done", 0.0) / record.value("of", 1.0);
    text = fmt::format("{} {}: {}", record.value("step", ""), record.value("kind", ""),
                       record.value("text", ""));
    kind_ = record.value("kind", "");
    doing_ = kind_ + ", " + record.value("text", "");
    for (std::size_t i = 0; i < by_job_.size(); ++i)
      if (is_of(record, i)) under_way_ = i;
  }
  if (kind != "verdict") return;
  part_ = 0;
  under_way_.reset();
  for (std::size_t i = 0; i < by_job_.size(); ++i) {
    if (!is_of(record, i)) continue;
    by_job_[i].push_back(record);
    if (by_job_[i].size() == task_.kinds.size()) tell(i, "");
  }
}

void Collector::take_reproduction(const json& record) {
  for (json& earlier : reproductions)
    if (earlier.value("title", "") == record.value("title", "")) {
      earlier = record;  // the same table with more rows
      return;
    }
  reproductions.push_back(record);
}

std::vector<json> Collector::finish(const std::string& why_not) {
  std::vector<json> all;
  for (std::size_t i = 0; i < task_.jobs.size(); ++i) {
    tell(i, why_not);
    all.push_back(result(i, why_not));
  }
  return all;
}

double Collector::share() const {
  if (task_.reproduces()) return part_;
  double done = part_, all = 0;
  for (std::size_t i = 0; i < by_job_.size(); ++i) {
    if (task_.jobs[i].decided) continue;
    done += static_cast<double>(by_job_[i].size());
    all += static_cast<double>(task_.kinds.size());
  }
  return all > 0 ? std::min(1.0, done / all) : 1;
}

std::vector<json> Collector::records_of(std::size_t i) const {
  std::vector<json> all = task_.jobs[i].records;
  all.insert(all.end(), by_job_[i].begin(), by_job_[i].end());
  return all;
}

json Collector::result(std::size_t i, const std::string& why_not) const {
  const Job& job = task_.jobs[i];
  return job.decided ? job.result
                     : report::merge(facts(job), records_of(i), names_of(task_.all_kinds()), why_not);
}

void Collector::tell(std::size_t i, const std::string& why_not) {
  if (!told_[i] && ready_) ready_(result(i, why_not));
  told_[i] = true;
}

}  // namespace ladder
