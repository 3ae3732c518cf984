#include "common/tool/grading/export/grade_publish.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/published.hpp"
#include "common/report/html/grade_pages.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// The record of the attempt that counts; null: there is none.
const model::GradeRecord* counted_record(const course::Ruled& one,
                                         const std::vector<model::GradeRecord>& records) {
  const auto at = std::find_if(records.begin(), records.end(), [&](const model::GradeRecord& record) {
    return record.pseudonym == one.mark.pseudonym;
  });
  return one.mark.pseudonym.empty() || at == records.end() ? nullptr : &*at;
}

}  // namespace

void publish_pages(const GradeStore& store, const course::Course& course,
                   const course::Assignment& assignment, const std::vector<model::GradeRecord>& records,
                   std::vector<course::Ruled>& all) {
  const fs::path folder = store.folder() / "published";
  fs::remove_all(folder);  // of whoever has left the roster, too
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  for (course::Ruled& one : all) {
    const model::GradeRecord* record = counted_record(one, records);
    if (record == nullptr) continue;
    one.mark.page = folder / (one.mark.id + ".html");
    write_text(one.mark.page, report::student_page(published_view(course, assignment, one, *record)));
  }
}

void write_published_results(Context& context, const course::Course& course,
                             const course::Assignment& assignment,
                             const std::vector<model::GradeRecord>& records,
                             const std::vector<course::Ruled>& all) {
  const fs::path out = fs::absolute(context.options.grade.out);
  if (out.extension() == ".json")
    throw UsageError{fmt::format("--out {}: must be a folder; each person gets one in it", out.string())};
  const auto is_there = [](const course::Ruled& one) { return one.platform == "gradescope"; };
  const bool several = std::any_of(all.begin(), all.end(), is_there);
  std::size_t written = 0;
  std::vector<std::string> without;
  for (const course::Ruled& one : all) {
    const model::GradeRecord* record = counted_record(one, records);
    if (record == nullptr || (several && !is_there(one))) continue;
    if (!one.mark.points) {  // a result without tests would be 0
      without.push_back(one.mark.id);
      continue;
    }
    const fs::path mine = out / one.mark.id;
    write_text(mine / "results.json",
               report::dump(to_json(published_results(course, assignment, one, *record))) + "\n");
    fs::copy_file(one.mark.page, mine / "page.html", fs::copy_options::overwrite_existing);
    ++written;
  }
  context.terminal.print(
      fmt::format("{}: the published points of {} people, a folder each", out.string(), written));
  if (!without.empty())
    context.terminal.print(fmt::format("No result, since nothing could be judged: {}", some_of(without, 10)));
}

}  // namespace ladder
