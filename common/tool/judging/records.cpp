#include "common/tool/judging/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/base/files/json_file.hpp"
#include "common/model/result_json.hpp"

namespace ladder {

using nlohmann::json;

model::StepResult facts(const Job& job) {
  const bool has_row = job.step->row.is_object();
  model::StepResult step;
  step.lesson = job.step->lesson;
  step.name = job.step->name;
  step.file = job.step->file;
  step.kind = has_row ? job.step->kind() : "R";
  step.tree = job.tree;
  step.mutant = job.mutant;
  step.source = job.source_sha256;
  step.backend = job.place.backend;
  step.device = job.place.device;
  step.data = has_row ? job.step->row.value("data", "host") : "host";
  return step;
}

namespace {

/// A record with the documents that it names instead of their paths: the files go with the judge.
json with_documents(json record) {
  for (const char* field : {"observation", "trace"})
    if (const json path = record.value(field, json()); path.is_string())
      record[field] = read_json(path.get<std::string>());
  return record;
}

}  // namespace

std::vector<model::Line> Tail::fresh() {
  std::vector<model::Line> records;
  std::ifstream in(file_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(read_));
  for (std::string line; std::getline(in, line) && !in.eof();) {
    read_ += line.size() + 1;
    try {
      records.push_back(model::line_from_json(json::parse(line, nullptr, false)));
    } catch (const Error& error) {
      if (bad_++ == 0) why_bad_ = error.what();
    }
  }
  return records;
}

Collector::Collector(const Task& task, const std::function<void(const model::StepResult&)>& ready)
    : task_(task), ready_(ready), by_job_(task.jobs.size()), told_(task.jobs.size()) {
  tell_decided();
}

void Collector::tell_decided() {
  for (std::size_t i = 0; i < task_.jobs.size(); ++i)
    if (task_.jobs[i].decided) tell(i, "");
}

void Collector::forget(std::size_t job) {
  std::erase_if(profiles, [&](const json& record) { return is_of(model::subject_of(record), job); });
  by_job_[job].clear();
}

bool Collector::is_of(const model::Subject& record, std::size_t i) const {
  const Job& job = task_.jobs[i];
  return record.step == job.step->name && record.tree == job.tree && record.mutant == job.mutant &&
         (record.backend.empty() || record.backend == job.place.backend);
}

void Collector::take(const model::Line& record) {
  ++records_;
  std::visit([&](const auto& one) { take(one); }, record);
}

void Collector::take(const model::Progress& progress) {
  if (!(progress.of > 0)) return;
  part_ = progress.done / progress.of;
  text = fmt::format("{} {}: {}", progress.step, to_string(progress.kind), progress.text);
  kind_ = progress.kind;
  doing_ = fmt::format("{}, {}", to_string(progress.kind), progress.text);
  for (std::size_t i = 0; i < by_job_.size(); ++i)
    if (is_of(progress, i)) under_way_ = i;
}

void Collector::take(const model::Record& record) {
  part_ = 0;
  under_way_.reset();
  for (std::size_t i = 0; i < by_job_.size(); ++i) {
    if (!is_of(record, i)) continue;
    by_job_[i].push_back(record);
    if (by_job_[i].size() == task_.kinds.size()) tell(i, "");
  }
}

void Collector::take(const model::Reproduction& table) {
  const auto earlier = std::find_if(reproductions.begin(), reproductions.end(),
                                    [&](const model::Reproduction& one) { return one.title == table.title; });
  if (earlier != reproductions.end())
    *earlier = table;  // the same table with more rows
  else
    reproductions.push_back(table);
}

void Collector::take(const json& document) {
  profiles.push_back(with_documents(document));
}

std::vector<model::StepResult> Collector::finish(const std::string& why_not) {
  std::vector<model::StepResult> all;
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

std::vector<model::Record> Collector::records_of(std::size_t i) const {
  std::vector<model::Record> all = task_.jobs[i].records;
  all.insert(all.end(), by_job_[i].begin(), by_job_[i].end());
  return all;
}

model::StepResult Collector::result(std::size_t i, const std::string& why_not) const {
  const Job& job = task_.jobs[i];
  return job.decided ? job.result : report::merge(facts(job), records_of(i), task_.all_kinds(), why_not);
}

void Collector::tell(std::size_t i, const std::string& why_not) {
  if (!told_[i] && ready_) ready_(result(i, why_not));
  told_[i] = true;
}

}  // namespace ladder
