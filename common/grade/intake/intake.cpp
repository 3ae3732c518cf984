#include "common/grade/intake/intake.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/error.hpp"
#include "common/grade/intake/contents.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/intake/scan.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t max_contained = 30;  // names of files that nothing asked for

/// "03-dgemm/g2_shared_tiles.cu": a folder and a file, nothing else. We write where this says.
void refuse_unsafe(const std::string& step) {
  const auto slash = step.find('/');
  const auto is_plain = [](std::string_view part) {
    return !part.empty() && part[0] != '.' && std::all_of(part.begin(), part.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c == '-' || c == '.';
    });
  };
  if (slash == step.npos || !is_plain(step.substr(0, slash)) || !is_plain(step.substr(slash + 1)))
    throw Error(fmt::format("'{}' is no file of a lesson: 03-dgemm/g2_shared_tiles.cu is", printable(step)));
}

void prepare(const fs::path& pristine) {
  std::error_code error;
  fs::create_directories(pristine, error);
  if (error) throw Error(fmt::format("cannot make {}: {}", pristine.string(), error.message()));
  if (!fs::is_empty(pristine, error) || error)
    throw Error(fmt::format("{} is not empty: files of two submissions would mix", pristine.string()));
}

/// Writes a new file. @throws Error naming file and reason
void write_new(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  std::size_t written = 0;
  bool failed = out < 0;
  while (!failed && written < text.size()) {
    const ssize_t n = write(out, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    failed = n <= 0;
    if (!failed) written += static_cast<std::size_t>(n);
  }
  const int reason = errno;
  if (out >= 0) failed = close(out) != 0 || failed;
  if (failed) throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(reason)));
}

/// Takes files out of the contents of one submission.
class Intake {
 public:
  Intake(const Wanted& wanted, fs::path pristine, const Contents& contents, const IntakeLimits& limits)
      : wanted_(wanted), pristine_(std::move(pristine)), contents_(contents), limits_(limits) {
    taken_.refused = contents.refused;
    taken_.others = contents.others;
  }

  Taken all() {
    for (const std::string& step : wanted_.steps) take_step(step);
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      take_headers_of(chosen_[i]);  // grows: a header includes headers
    std::sort(taken_.files.begin() + static_cast<std::ptrdiff_t>(steps_), taken_.files.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    take_notes();
    take_predictions();
    take_manifest();
    take_handout();
    tell_what_else();
    std::vector<std::pair<std::string, std::string>> sums;
    for (const TakenFile& file : taken_.files) sums.emplace_back(file.path, file.submitted_sha256);
    taken_.sha256 = sha256_of(std::move(sums));
    return std::move(taken_);
  }

 private:
  /// A file that was taken, with its text and its lesson.
  struct Chosen {
    const Packed* file;
    std::string lesson, text;
  };

  void refuse(const std::string& path, const std::string& why) {
    taken_.refused.push_back({printable(path), why});
  }

  bool is_handout(const std::string& path) const { return wanted_.is_handout && wanted_.is_handout(path); }

  /// What a copy of a step is worth: its text as it was handed out, or one that says that it is not begun, is
  /// nobody's work.
  Worth worth_of(const std::string& step, const Packed& file) const {
    if (!file.why.empty()) return Worth::unreadable;
    try {
      const std::string code = code_of(text_of(file.bytes, Content::source).text);
      const auto handed_out = wanted_.skeletons.find(step);
      const bool same = handed_out != wanted_.skeletons.end() && code == code_of(handed_out->second);
      return same || code.find("ladder::task();") != code.npos ? Worth::skeleton : Worth::work;
    } catch (const Error&) {
      return Worth::unreadable;
    }
  }

  /// Files of the submission that were neither taken nor refused, and are not the handout's own.
  void tell_what_else() {
    std::set<std::string> left(contents_.seen.begin(), contents_.seen.end()), known;
    for (const TakenFile& file : taken_.files) known.insert(printable(file.from));
    for (const Refused& one : taken_.refused) known.insert(one.path);
    for (const std::string& path : left) {
      const std::string name = lower(plain_name(file_name(path)).name), shown = printable(path);
      const bool note = name == "notes.md" || name == "predictions.json" || name == "manifest.json" ||
                        name == "handout.json";
      if (note || known.contains(shown) || is_handout(path)) continue;
      if (taken_.contained.size() == max_contained) return taken_.contained.emplace_back("…"), void();
      taken_.contained.push_back(shown);
    }
  }

  /// The file of a choice; the reasons for what was not chosen are kept.
  const Packed* settle(const Choice& choice) {
    for (const Refused& one : choice.refused) refuse(one.path, one.why);
    if (choice.file == nullptr || choice.file->why.empty()) return choice.file;
    refuse(choice.file->path, choice.file->why);
    return nullptr;
  }

  /// Writes a file that was chosen. @return whether it could be read as text
  bool put(const Packed& file, const std::string& lesson, const std::string& name) {
    Text text;
    try {
      text = text_of(file.bytes, Content::source);
    } catch (const Error& e) {
      refuse(file.path, e.what());
      return false;
    }
    if (file_name(file.path) != name) text.changed.emplace_back("name");
    write_new(pristine_ / lesson / name, text.text);
    taken_.files.push_back({lesson + "/" + name, printable(file.path, 1024), text.text.size(),
                            sha256(text.text), sha256(file.bytes), text.changed});
    chosen_.push_back({&file, lesson, std::move(text.text)});
    return true;
  }

  void take_step(const std::string& step) {
    const Packed* file =
        settle(choose(step, contents_.files, [&](const Packed& packed) { return worth_of(step, packed); }));
    if (file != nullptr && put(*file, folder_of(step), file_name(step)))
      ++steps_;
    else
      taken_.missing.push_back(step);
  }

  void take_headers_of(const Chosen source) {  // a copy: chosen_ grows
    for (std::string name : included_by(source.text)) {
      if (name.starts_with("./")) name.erase(0, 2);
      if (name.find('/') != name.npos)
        refuse_elsewhere(name);
      else if (!is_header(name))
        refuse(source.file->path,
               fmt::format("includes \"{}\": helper headers end with .hpp, .cuh or .h", printable(name)));
      else
        take_header(source, name, true);
    }
    for (const std::string& name : wanted_.headers) take_header(source, name, false);
  }

  /// An include with a folder is either of ours (common/device/cuda.hpp) or cannot be found by the compiler
  /// later.
  void refuse_elsewhere(const std::string& name) {
    const std::string own = file_name(name);
    for (const Packed& file : contents_.files)
      if (lower(file_name(file.path)) == lower(own) && !is_handout(file.path))
        return refuse(file.path,
                      fmt::format("is included as \"{}\": a helper header lies next to its rung, and is "
                                  "included as \"{}\"",
                                  printable(name), printable(own)));
  }

  void take_header(const Chosen& source, const std::string& name, bool included) {
    const auto [at, fresh] = headers_.try_emplace(source.lesson + "/" + name, nullptr);
    const Choice choice = choose_beside(*source.file, name, contents_.files);
    if (!fresh) {
      if (choice.file && at->second && choice.file->bytes != at->second->bytes)
        refuse(choice.file->path,
               fmt::format("and {} are different headers of one lesson: give one another name",
                           printable(at->second->path)));
      return;
    }
    const Packed* file = settle(choice);
    if (file == nullptr) {
      headers_.erase(at);  // another step's folder may have it
      if (included && choice.file == nullptr && choice.refused.empty()) refuse_elsewhere(name);
      return;
    }
    at->second = file;
    if (++header_count_ > limits_.headers)
      refuse(file->path, fmt::format("is one more than {} helper headers", limits_.headers));
    else
      put(*file, source.lesson, name);
  }

  /// Calls `use(file)` for each usable file of a name, and refuses the others.
  template <class Use>
  void each(std::string_view name, Use&& use) {
    for (const Packed& file : contents_.files) {
      if (lower(plain_name(file_name(file.path)).name) != name) continue;
      try {
        if (!file.why.empty()) throw Error(file.why);
        use(file);
      } catch (const Error& e) {
        refuse(file.path, e.what());
      }
    }
  }

  void take_notes() {
    std::vector<std::pair<std::string, std::string>> all;
    each("notes.md", [&](const Packed& file) {
      const std::string text = text_of(file.bytes, Content::prose).text;
      if (std::none_of(all.begin(), all.end(), [&](const auto& other) { return other.second == text; }))
        all.emplace_back(file.path, text), taken_.beside.emplace_back("notes.md", sha256(file.bytes));
    });
    for (const auto& [path, text] : all)
      taken_.notes += all.size() == 1 ? text
                                      : fmt::format("{}{}:\n\n{}", taken_.notes.empty() ? "" : "\n\n",
                                                    printable(path), text);
    if (!taken_.notes.empty()) write_new(pristine_ / "notes.md", taken_.notes);
  }

  /// What is no JSON, or lies too deep for those that read it after us. @throws Error
  static json parsed(const Packed& file, const std::string& schema) {
    bool deep = false;
    const auto watch = [&](int depth, json::parse_event_t, json&) { return !(deep = deep || depth > 8); };
    const json all = json::parse(text_of(file.bytes, Content::prose).text, watch, false);
    if (deep || !all.is_object() || all.value("schema", json()) != schema)
      throw Error(fmt::format("is not what ./ladder writes there (schema {})", schema));
    return all;
  }

  void take_predictions() {
    each("predictions.json", [&](const Packed& file) {
      const json all = parsed(file, "gpu-ladder-predictions/1");
      if (!taken_.predictions.empty() && taken_.predictions != all.dump(1))
        throw Error("is another than the one before");
      if (taken_.predictions.empty()) taken_.beside.emplace_back("predictions.json", sha256(file.bytes));
      taken_.predictions = all.dump(1);
    });
    if (!taken_.predictions.empty()) write_new(pristine_ / "predictions.json", taken_.predictions + "\n");
  }

  void take_manifest() {
    each("manifest.json", [&](const Packed& file) {
      if (taken_.manifest.empty()) taken_.manifest = parsed(file, "gpu-ladder-submission/1").dump(1);
    });
  }

  /// What `submit` has packed, else the list of the handout that the whole folder was packed with.
  void take_handout() {
    each("handout.json", [&](const Packed& file) {
      const json list = parsed(file, "gpu-ladder-handout/1");
      if (taken_.handout.empty() && list.value("version", json()).is_string())
        taken_.handout = printable(list["version"].get<std::string>());
    });
    const json manifest = json::parse(taken_.manifest, nullptr, false);
    if (manifest.is_object() && manifest.value("handout", json()).is_string())
      taken_.handout = printable(manifest["handout"].get<std::string>());
  }

  const Wanted& wanted_;
  const fs::path pristine_;
  const Contents& contents_;
  const IntakeLimits& limits_;
  Taken taken_;
  std::vector<Chosen> chosen_;
  std::map<std::string, const Packed*> headers_;
  std::size_t steps_ = 0, header_count_ = 0;
};

/// Reads what could be wanted. @throws Error saying why nothing of the submission can be taken
void read(const fs::path& submission, Contents& contents) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(submission, error);
  if (fs::is_symlink(status)) throw Error("is a symbolic link: put the submission itself there");
  if (fs::is_directory(status)) {
    read_folder(submission, contents);
    if (contents.seen.empty() && contents.refused.empty()) throw Error("holds no files");
    return;
  }
  if (error && is_of_the_machine(error.value()) && status.type() != fs::file_type::not_found)
    throw Unreadable("cannot be read: " + error.message());
  if (!fs::exists(status)) throw Unreadable("is no longer there; was a network drive away?");
  read_archive(submission, contents);
}

}  // namespace

Taken take(const fs::path& submission, const Wanted& wanted, const fs::path& pristine,
           const IntakeLimits& limits) {
  std::set<std::string> names = {"notes.md", "predictions.json", "manifest.json", "handout.json"};
  for (const std::string& step : wanted.steps) refuse_unsafe(step), names.insert(lower(file_name(step)));
  for (const std::string& header : wanted.headers) refuse_unsafe("headers/" + header);
  prepare(pristine);
  std::set<std::string> ours;
  for (const std::string& name : wanted.ours) ours.insert(lower(name));
  Contents contents(limits, [&](std::string_view name) {
    const PlainName own = plain_name(name);
    const std::string plain = lower(own.name);
    return names.contains(lower(name)) || names.contains(plain) ||
           (is_header(plain) && !ours.contains(plain)) ||
           std::any_of(wanted.steps.begin(), wanted.steps.end(),
                       [&](const std::string& step) { return could_be(name, own, file_name(step)); });
  });
  try {
    read(submission, contents);
  } catch (const Unreadable& e) {
    throw Error(fmt::format("{} {}", submission.string(), e.what()));
  } catch (const Error& e) {
    Taken none;
    none.refused.push_back({printable(submission.filename().string()), e.what()});
    none.missing = wanted.steps;
    none.sha256 = sha256_of(std::vector<std::pair<std::string, std::string>>{});
    return none;
  }
  return Intake(wanted, pristine, contents, limits).all();
}

std::string sha256_of(std::vector<std::pair<std::string, std::string>> files) {
  std::sort(files.begin(), files.end());
  std::string list;
  for (const auto& [path, sum] : files) list += sum + "  " + path + "\n";
  return sha256(list);
}

}  // namespace ladder::grade
