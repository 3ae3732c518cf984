/// @file
/// Records as files, and whether they can be right.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "common/base/error.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/files/whole_file.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Field {
  const char* name;
  json::value_t type;
};

std::string wrong_fields(const json& object, std::initializer_list<Field> fields, const std::string& where) {
  for (const Field& field : fields) {
    const auto at = object.find(field.name);
    if (at == object.end()) return fmt::format("{} has no {}", where, field.name);
    const bool fits = field.type == json::value_t::number_float ? at->is_number() : at->type() == field.type;
    if (!fits) return fmt::format("{} of {} is {}", field.name, where, at->type_name());
  }
  return "";
}

std::string wrong_step(const json& step, double& points, double& most) {
  using T = json::value_t;
  if (!step.is_object()) return "a rung is no object";
  const std::string where = fmt::format("step {}/{}", step.value("lesson", ""), step.value("name", ""));
  std::string wrong = wrong_fields(step,
                                   {{"lesson", T::string},
                                    {"name", T::string},
                                    {"phase", T::string},
                                    {"runs", T::array},
                                    {"open", T::array},
                                    {"points", T::number_float},
                                    {"max_points", T::number_float},
                                    {"judged_points", T::number_float},
                                    {"open_points", T::number_float},
                                    {"staff", T::object},
                                    {"student", T::object}},
                                   where);
  if (wrong.empty())
    wrong = wrong_fields(step["staff"], {{"verdict", T::string}, {"evidence", T::string}}, where);
  if (wrong.empty())
    wrong = wrong_fields(step["student"], {{"verdict", T::string}, {"message", T::string}}, where);
  if (!wrong.empty()) return wrong;
  if (step["phase"] != "instant" && step["phase"] != "final") return where + " has an unknown phase";
  if (!verdict_of(step["staff"]["verdict"].get<std::string>())) return where + " has an unknown verdict";
  if (step["student"]["verdict"] == std::string(name(Verdict::review)))
    return where + " tells the student REVIEW";
  const double own = step["points"], full = step["max_points"];
  if (!(own >= 0 && own <= full)) return fmt::format("{} has {} of {} points", where, own, full);
  points += own, most += full;
  return "";
}

std::string wrong_decision(const json& decision) {
  using T = json::value_t;
  if (!decision.is_object()) return "a decision is no object";
  std::string wrong = wrong_fields(
      decision, {{"step", T::string}, {"action", T::string}, {"by", T::string}, {"reason", T::string}},
      "a decision");
  if (wrong.empty() && (decision["by"] == "" || decision["reason"] == ""))
    wrong = "a decision has no person or reason";
  return wrong;
}

}  // namespace

std::string wrong_with(const json& record) {
  using T = json::value_t;
  if (!record.is_object() || record.value("schema", json()) != model::grade_schema)
    return fmt::format("it is no record of schema {}", model::grade_schema);
  std::string wrong = wrong_fields(record,
                                   {{"pseudonym", T::string},
                                    {"submission", T::object},
                                    {"steps", T::array},
                                    {"points", T::number_float},
                                    {"max_points", T::number_float},
                                    {"open", T::array},
                                    {"decisions", T::array}},
                                   "the record");
  if (!wrong.empty()) return wrong;
  double points = 0, most = 0;
  for (const json& step : record["steps"])
    if (wrong = wrong_step(step, points, most); !wrong.empty()) return wrong;
  for (const json& decision : record["decisions"])
    if (wrong = wrong_decision(decision); !wrong.empty()) return wrong;
  for (const json& item : record["open"]) {
    if (!item.is_object()) return "an open item is no object";
    if (wrong = wrong_fields(item, {{"what", T::string}, {"points", T::number_float}, {"opens", T::string}},
                             "an open item");
        !wrong.empty())
      return wrong;
  }
  if (std::abs(points - record["points"].get<double>()) > 1e-9 ||
      std::abs(most - record["max_points"].get<double>()) > 1e-9)
    return fmt::format("its total is {:g} of {:g} points, and its rungs have {:g} of {:g}",
                       record["points"].get<double>(), record["max_points"].get<double>(), points, most);
  return "";
}

model::GradeRecord read_record(const fs::path& file) {
  const auto text = whole_file(file);
  if (!text) throw Error(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  const json record = json::parse(*text, nullptr, false);
  if (const std::string wrong = wrong_with(record); !wrong.empty())
    throw Error(fmt::format("{}: {}", file.string(), wrong));
  return model::grade_record_from_json(record, file.string());
}

std::optional<model::GradeRecord> whole_record(const fs::path& file) {
  const json record = read_json(file);
  if (!wrong_with(record).empty()) return std::nullopt;
  return model::grade_record_from_json(record, file.string());
}

void write_record(const fs::path& file, const model::GradeRecord& record) {
  write_document(file, to_json(record));
}

void write_document(const fs::path& file, const json& document) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path fresh = file.string() + ".new";
  const std::string text = document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  const int out = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool good = out >= 0;
  for (std::size_t at = 0; good && at < text.size();) {
    const ssize_t n = write(out, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    good = n > 0;
    if (good) at += static_cast<std::size_t>(n);
  }
  // What a crash of the machine leaves is the old record or the new one.
  good = good && fsync(out) == 0;
  int reason = errno;
  if (out >= 0 && close(out) != 0 && good) good = false, reason = errno;
  if (good && rename(fresh.c_str(), file.c_str()) != 0) good = false, reason = errno;
  if (good) return;
  unlink(fresh.c_str());
  throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(reason)));
}

}  // namespace ladder::grade
