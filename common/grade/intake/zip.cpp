#include "common/grade/intake/zip.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "common/base/error.hpp"
#include "common/base/zone_of_process.hpp"

namespace ladder::grade {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what, archive* a) {
  const char* text = archive_error_string(a);
  throw Error(fmt::format("{} {}{}{}", file.string(), what, text ? ": " : "", text ? text : ""));
}

/// @throws Error for a path that is not below the tree's top
void require_inside(const fs::path& file, const std::string& path) {
  const fs::path plain(path);
  bool inside = !path.empty() && plain.is_relative() && path.find('\\') == path.npos;
  for (const fs::path& part : plain) inside = inside && part != "..";
  if (!inside) throw Error(fmt::format("{} is no handout: '{}' in it leads elsewhere", file.string(), path));
}

void add(archive* a, const std::string& path, const TreeFile& file, const fs::path& zip) {
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                            archive_entry_free);
  archive_entry_set_pathname(entry.get(), path.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
  archive_entry_set_mtime(entry.get(), 1'600'000'000, 0);  // the same for all: equal trees, equal bytes
  if (archive_write_header(a, entry.get()) != ARCHIVE_OK ||
      archive_write_data(a, file.bytes.data(), file.bytes.size()) !=
          static_cast<la_ssize_t>(file.bytes.size()))
    fail(zip, "cannot be written", a);
}

}  // namespace

void write_zip(const fs::path& file, const Tree& tree, const std::string& top) {
  const fs::path part(file.string() + fmt::format(".part{}", getpid()));
  std::error_code ignored;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), ignored);
  const std::unique_ptr<archive, decltype(&archive_write_free)> a(archive_write_new(), archive_write_free);
  const ZoneOfProcess utc("UTC0");  // libarchive writes local times: a zip has no zone, and would tell ours
  try {
    archive_write_set_format_zip(a.get());
    if (archive_write_open_filename(a.get(), part.c_str()) != ARCHIVE_OK)
      fail(file, "cannot be written", a.get());
    for (const auto& [path, one] : tree) add(a.get(), top + "/" + path, one, file);
    if (archive_write_close(a.get()) != ARCHIVE_OK) fail(file, "cannot be written", a.get());
    fs::rename(part, file);
  } catch (...) {
    fs::remove(part, ignored);
    throw;
  }
}

Tree read_zip(const fs::path& file) {
  const std::unique_ptr<archive, decltype(&archive_read_free)> a(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_format_zip(a.get());
  if (archive_read_open_filename(a.get(), file.c_str(), 65536) != ARCHIVE_OK)
    fail(file, "cannot be read", a.get());
  Tree tree;
  archive_entry* entry = nullptr;
  int result = ARCHIVE_OK;
  while ((result = archive_read_next_header(a.get(), &entry)) == ARCHIVE_OK || result == ARCHIVE_WARN) {
    const char* path = archive_entry_pathname(entry);
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    require_inside(file, path ? path : "");
    TreeFile& one = tree[fs::path(path).lexically_normal().generic_string()];
    one.executable = (archive_entry_perm(entry) & 0100) != 0;
    std::array<char, 16384> block{};
    la_ssize_t n = 0;
    while ((n = archive_read_data(a.get(), block.data(), block.size())) > 0)
      one.bytes.append(block.data(), static_cast<std::size_t>(n));
    if (n < 0) fail(file, "is damaged or not whole", a.get());
  }
  if (result != ARCHIVE_EOF) fail(file, "is damaged or not whole", a.get());
  return tree;
}

}  // namespace ladder::grade
