/// @file
/// Moodle's "Upload multiple feedback files in a zip".
/// Source: moodle/moodle mod/assign/feedback/file/importziplib.php: NAME_NUMBER_assignsubmission_file_/FILE,
/// of which the number says whose it is. With blind marking NAME is "Participant" (mod/assign/locallib.php):
/// so no name of a person is needed.

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <memory>

#include "common/base/error.hpp"
#include "common/course/platforms/gradebook.hpp"

namespace ladder::course {
namespace {

struct Free {
  void operator()(archive* a) const { archive_write_free(a); }
  void operator()(archive_entry* e) const { archive_entry_free(e); }
};

using Writer = std::unique_ptr<archive, Free>;

void check(const Writer& writer, la_int64_t result, const std::filesystem::path& zip) {
  if (result >= ARCHIVE_OK) return;
  const char* why = archive_error_string(writer.get());
  throw Error(fmt::format("cannot write {}: {}", zip.string(), why == nullptr ? "no reason is given" : why));
}

}  // namespace

void write_feedback(const std::filesystem::path& zip, const std::vector<Feedback>& all) {
  const Writer writer(archive_write_new());
  check(writer, archive_write_set_format_zip(writer.get()), zip);
  check(writer, archive_write_open_filename(writer.get(), zip.c_str()), zip);
  for (const Feedback& one : all) {
    const std::string page = read_bytes(one.page);
    const std::unique_ptr<archive_entry, Free> entry(archive_entry_new());
    const std::string name =
        fmt::format("Participant_{}_assignsubmission_file_/feedback.html", one.participant);
    archive_entry_copy_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(page.size()));
    check(writer, archive_write_header(writer.get(), entry.get()), zip);
    check(writer, archive_write_data(writer.get(), page.data(), page.size()), zip);
  }
  check(writer, archive_write_close(writer.get()), zip);
}

}  // namespace ladder::course
