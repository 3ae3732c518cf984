#include "tests/common/grade/packed.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ladder::grade::test {
namespace {

void check(archive* a, int result) {
  if (result != ARCHIVE_OK && result != ARCHIVE_WARN) throw std::runtime_error(archive_error_string(a));
}

void add(archive* a, const Item& item) {
  archive_entry* entry = archive_entry_new();
  archive_entry_copy_pathname(entry, item.path.c_str());
  const auto type = item.type == 'd'   ? AE_IFDIR
                    : item.type == 'l' ? AE_IFLNK
                    : item.type == 'c' ? AE_IFCHR
                    : item.type == 'p' ? AE_IFIFO
                                       : AE_IFREG;
  archive_entry_set_filetype(entry, type);
  archive_entry_set_perm(entry, 0644);
  if (item.type == 'l') archive_entry_copy_symlink(entry, item.bytes.c_str());
  if (item.type == 'h') archive_entry_copy_hardlink(entry, item.bytes.c_str());
  archive_entry_set_size(entry, item.type == 'f' ? static_cast<la_int64_t>(item.bytes.size()) : 0);
  check(a, archive_write_header(a, entry));
  if (item.type == 'f') archive_write_data(a, item.bytes.data(), item.bytes.size());
  archive_entry_free(entry);
}

}  // namespace

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "ladder-grade-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code none;
  fs::remove_all(path_, none);
}

fs::path pack(const fs::path& file, const std::string& form, const std::vector<Item>& items,
              const std::string& password) {
  if (form.starts_with("rar")) {
    write(file, form == "rar5" ? rar5_of(items) : rar4_of(items));
    return file;
  }
  archive* a = archive_write_new();
  if (form == "zip")
    archive_write_set_format_zip(a);
  else if (form == "7z")
    archive_write_set_format_7zip(a);
  else
    archive_write_set_format_pax_restricted(a);
  if (form == "tar.gz") archive_write_add_filter_gzip(a);
  if (form == "tar.xz") archive_write_add_filter_xz(a);
  if (form == "tar.bz2") archive_write_add_filter_bzip2(a);
  if (!password.empty()) {
    check(a, archive_write_set_options(a, "zip:encryption=traditional"));
    archive_write_set_passphrase(a, password.c_str());
  }
  check(a, archive_write_open_filename(a, file.c_str()));
  for (const Item& item : items) add(a, item);
  check(a, archive_write_close(a));
  archive_write_free(a);
  return file;
}

void write(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string read(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink()) files.push_back(entry.path().lexically_relative(folder));
  std::sort(files.begin(), files.end());
  return files;
}

std::string why(const Taken& taken, const std::string& path) {
  for (const Refused& one : taken.refused)
    if (one.path == path) return one.why;
  return "";
}

Wanted two_steps() {
  return {{"03-dgemm/g1_naive.cu", "03-dgemm/g2_shared_tiles.cu"}, {}, {"dgemm.hpp", "cuda.hpp"}};
}

}  // namespace ladder::grade::test
