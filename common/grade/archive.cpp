/// @file
/// Submissions in archives, read as streams by libarchive: nothing is extracted.

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "common/base/error.hpp"
#include "common/grade/contents.hpp"
#include "common/grade/text.hpp"

namespace ladder::grade {
namespace {

constexpr const char* formats = "zip, tar, tar.gz or tar.xz";

struct Free {
  void operator()(archive* a) const { archive_read_free(a); }
};

/// An archive, and how much has come out of it.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const Bounds& bounds) : bounds_(bounds), file_(open_plain(file)) {
    try {
      struct stat s {};
      fstat(file_, &s);
      packed_ = static_cast<std::size_t>(s.st_size);
      if (packed_ == 0) throw Error("is empty");
      if (packed_ > bounds_.archive)
        throw Error(
            fmt::format("is larger than {}: pack the lesson's folder only", size_text(bounds_.archive)));
      open_archive();
    } catch (...) {
      close(file_);
      throw;
    }
  }
  ~Reader() { close(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// @return the next entry, null after the last. @throws Error when the archive is damaged or explodes
  archive_entry* next() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    check_size(0);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
      refuse();  // a warning: a name that this locale does not know
    if (archive_entry_is_encrypted(entry)) throw Error("is encrypted: pack it without a password");
    // Before what is not wanted is skipped: of a compressed tar that unpacks it.
    check_size(archive_entry_size_is_set(entry) && archive_entry_size(entry) > 0
                   ? static_cast<std::size_t>(archive_entry_size(entry))
                   : 0);
    return entry;
  }

  /// The bytes of the entry, one block more than allowed at most.
  std::string read(std::size_t most) {
    std::string bytes;
    std::array<char, 16384> block{};
    while (bytes.size() <= most) {
      const la_ssize_t n = archive_read_data(archive_.get(), block.data(), block.size());
      if (n < 0) refuse();
      if (n == 0) break;
      bytes.append(block.data(), static_cast<std::size_t>(n));
    }
    return bytes;
  }

 private:
  void open_archive() {
    archive_.reset(archive_read_new());
    archive* a = archive_.get();
    if (a == nullptr) throw Error("cannot be read: no memory");
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_xz(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip_seekable(a);  // by the directory at its end, as other programs read it
    if (archive_read_open_fd(a, file_, 65536) != ARCHIVE_OK) refuse();
  }

  /// @param coming  bytes of the entry that comes next
  void check_size(std::size_t coming) {
    declared_ += std::min(coming, bounds_.unpacked + 1);  // an archive may say 2^63
    const auto streamed = static_cast<std::size_t>(archive_filter_bytes(archive_.get(), 0));
    const std::size_t unpacked = std::max(declared_, streamed);
    if (unpacked > bounds_.unpacked) explode();
    if (unpacked > bounds_.taken && unpacked / bounds_.ratio > packed_) explode();
  }

  [[noreturn]] void explode() const {
    throw Error(fmt::format(
        "unpacks to more than {}, or to more than {} times its size: pack the lesson's folder only",
        size_text(bounds_.unpacked), bounds_.ratio));
  }

  [[noreturn]] void refuse() const {
    const char* text = archive_error_string(archive_.get());
    const std::string reason = text == nullptr ? "" : printable(text);
    if (reason.find("Unrecognized") != reason.npos)
      throw Error(fmt::format("is no {}, or holds nothing", formats));
    throw Error(
        fmt::format("is damaged or not whole: pack it again{}{}", reason.empty() ? "" : "; ", reason));
  }

  Bounds bounds_;
  int file_;
  std::unique_ptr<archive, Free> archive_;
  std::size_t packed_ = 0, declared_ = 0;
};

Entry entry_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_hardlink_utf8(entry) != nullptr)
    return Entry::hard_link;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return Entry::file;
    case AE_IFDIR:
      return Entry::folder;
    case AE_IFLNK:
      return Entry::symbolic_link;
    case AE_IFIFO:
      return Entry::fifo;
    case AE_IFSOCK:
      return Entry::socket;
    case 0:
      return Entry::file;  // a zip that does not say
    default:
      return Entry::device;
  }
}

/// The name as it was packed; where the locale cannot show it, libarchive has it as UTF-8 only. It ends at
/// its first NUL.
std::string path_of(archive_entry* entry) {
  if (const char* path = archive_entry_pathname(entry)) return path;
  if (const char* path = archive_entry_pathname_utf8(entry)) return path;
  return "";
}

}  // namespace

void read_archive(const std::filesystem::path& file, Contents& contents) {
  Reader reader(file, contents.bounds());
  bool any = false;
  while (archive_entry* entry = reader.next()) {
    any = true;
    const std::string path = path_of(entry);
    if (contents.see(path, entry_of(entry))) contents.add(path, reader.read(contents.bounds().file));
  }
  if (!any) throw Error("holds no files");
}

}  // namespace ladder::grade
