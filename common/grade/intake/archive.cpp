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
#include "common/grade/intake/contents.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {
namespace {

constexpr const char* formats = "zip, 7z, rar, tar, tar.gz or tar.xz";

struct Free {
  void operator()(archive* a) const { archive_read_free(a); }
};

/// An archive, and how much has come out of it.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const IntakeLimits& limits)
      : limits_(limits), file_(open_plain(file)) {
    try {
      struct stat s {};
      fstat(file_, &s);
      check_packed(static_cast<std::size_t>(s.st_size));
      prepare();
      if (archive_read_open_fd(archive_.get(), file_, 65536) != ARCHIVE_OK) refuse();
      opened_ = true;
    } catch (...) {
      close(file_);
      throw;
    }
  }
  /// An archive that was in another one.
  /// @param bytes  outlive this
  Reader(const std::string& bytes, const IntakeLimits& limits) : limits_(limits) {
    check_packed(bytes.size());
    prepare();
    if (archive_read_open_memory(archive_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) refuse();
    opened_ = true;
  }
  ~Reader() {
    archive_.reset();
    if (file_ >= 0) close(file_);
  }
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
    if (archive_entry_is_encrypted(entry)) refuse_encrypted();
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
  void check_packed(std::size_t bytes) {
    packed_ = bytes;
    if (packed_ == 0) throw Error("is empty");
    if (packed_ > limits_.archive)
      throw Error(
          fmt::format("is larger than {}: pack the lesson's folder only", size_text(limits_.archive)));
  }

  void prepare() {
    archive_.reset(archive_read_new());
    archive* a = archive_.get();
    if (a == nullptr) throw Error("cannot be read: no memory");
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    archive_read_support_format_rar(a);
    archive_read_support_format_rar5(a);
    archive_read_support_format_zip_seekable(a);  // by the directory at its end, as other programs read it
  }

  /// @param coming  bytes of the entry that comes next
  void check_size(std::size_t coming) {
    declared_ += std::min(coming, limits_.unpacked + 1);  // an archive may say 2^63
    const auto streamed = static_cast<std::size_t>(archive_filter_bytes(archive_.get(), 0));
    const std::size_t unpacked = std::max(declared_, streamed);
    if (unpacked > limits_.unpacked) explode();
    if (unpacked > limits_.taken && unpacked / limits_.ratio > packed_) explode();
  }

  [[noreturn]] void explode() const {
    throw Error(fmt::format(
        "unpacks to more than {}, or to more than {} times its size: pack the lesson's folder only",
        size_text(limits_.unpacked), limits_.ratio));
  }

  [[noreturn]] void refuse() const {
    const char* text = archive_error_string(archive_.get());
    const std::string reason = text == nullptr ? "" : printable(text);
    if (is_of_the_machine(archive_errno(archive_.get())) && reason.find("rror reading") != reason.npos)
      throw Unreadable("cannot be read: " + reason);
    // Of one that was not opened libarchive (3.6) asks a format that it has never found.
    if (opened_ && archive_read_has_encrypted_entries(archive_.get()) > 0) refuse_encrypted();
    // Of a rar it says so only in words: its list of files may be encrypted, too.
    if (reason.find("ncrypt") != reason.npos) refuse_encrypted();
    if (reason.find("Unrecognized") != reason.npos)
      throw Error(fmt::format("is no {}, or holds nothing", formats));
    throw Error(
        fmt::format("is damaged or not whole: pack it again{}{}", reason.empty() ? "" : "; ", reason));
  }

  [[noreturn]] static void refuse_encrypted() { throw Error("is encrypted: pack it without a password"); }

  IntakeLimits limits_;
  int file_ = -1;
  bool opened_ = false;
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

void read_entries(Reader& reader, Contents& contents) {
  bool any = false;
  while (archive_entry* entry = reader.next()) {
    any = true;
    const std::string path = path_of(entry);
    const Reading reading = contents.see(path, entry_of(entry));
    if (reading == Reading::file) contents.add(path, reader.read(contents.limits().file));
    if (reading != Reading::archive) continue;
    const std::string bytes = reader.read(contents.limits().archive);
    contents.inside(path, [&] {
      IntakeLimits limits = contents.limits();
      limits.unpacked /= 4;  // several of them take no longer than one submission
      Reader inner(bytes, limits);
      read_entries(inner, contents);
    });
  }
  if (!any) throw Error("holds no files");
}

}  // namespace

void read_archive(const std::filesystem::path& file, Contents& contents) {
  Reader reader(file, contents.limits());
  read_entries(reader, contents);
}

}  // namespace ladder::grade
