/// @file
/// The verb watch: steps are judged when their files are saved, and keys start what comes next.

#include "common/tool/watch/watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/build_lock.hpp"
#include "common/tool/core/verbs.hpp"
#include "common/tool/standing/next_rung.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/watch/keys.hpp"
#include "common/tool/watch/saved_files.hpp"
#include "common/tool/watch/watch_files.hpp"
#include "common/tool/watch/watch_step.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr const char* key_line = "n next · h hint · b bench · p profile · d diff · q quit · ? keys";
constexpr const char* key_text =
    "n  the next rung that is not done       h  a hint\n"
    "b  bench: its time, as ratios           p  profile: what its launches did\n"
    "d  what differs from the reference      q  quit, as Ctrl-C\n"
    "Enter  judge it again";

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

/// The loop, and what it knows of.
class Watch {
 public:
  explicit Watch(Context& context)
      : context_(context),
        lessons_(take_tables(context)),
        tree_(context.root / context.options.tree),
        files_(folders(), context.options.poll) {
    for (const StepEntry* step : context_.catalogue.resolve(context_.options.names))
      order_.push_back(step->path());
    const StepEntry* next = next_rung(context_, Progress(context_), among()).step;
    current_ = next ? next->path() : order_.front();
  }

  int run() {
    greet();
    queue_ = {current_};
    while (true) {
      if (!queue_.empty()) work();
      look();
      if (interrupted() || ended_) break;
      if (!saved_.empty())
        take_saved();
      else if (!pressed_.empty())
        act(pressed_.front()), pressed_.erase(0, 1);
      else
        wait();
    }
    context_.terminal.end_work();
    return 0;
  }

 private:
  /// Prose, in the width of the window.
  void say(const std::string& text) {
    for (const std::string& line : report::wrapped(text, static_cast<std::size_t>(context_.terminal.width())))
      context_.terminal.print(line);
  }

  static std::vector<LessonEntry*> take_tables(Context& context) {
    const auto lessons = context.catalogue.resolve_lessons(context.options.names);
    if (context.catalogue.resolve(context.options.names).empty())
      throw UsageError{"there is no rung to watch"};
    const BuildLock lock(context);
    context.need_tables(lessons);
    return lessons;
  }

  std::vector<fs::path> folders() const {
    std::vector<fs::path> found;
    for (const LessonEntry* lesson : lessons_) {
      found.push_back(tree_ / lesson->name);
      if (fs::is_directory(tree_ / lesson->name / "given")) found.push_back(tree_ / lesson->name / "given");
    }
    return found;
  }

  /// Reading a table moves the steps: they are looked up each time.
  StepEntry& step(const std::string& path) const { return *context_.catalogue.resolve({path}).front(); }
  Among among() const {
    return [this](const StepEntry& step) {
      return std::find(order_.begin(), order_.end(), step.path()) != order_.end();
    };
  }

  void greet() {
    const StepEntry& first = step(current_);
    const std::string file = fmt::format("{}/{}/{}", context_.options.tree, first.lesson, first.file);
    if (order_.size() == 1) {
      say(fmt::format("Watching {}. Save {} and it is judged.", first.label(), file));
    } else {
      say(fmt::format("Watching {}: each is judged when you save it.", counted(order_.size(), "rung")));
      say("Next: " + file);
    }
    say_polling();
    if (!keys_.there()) say("No terminal to read keys from: Ctrl-C or a signal ends it.");
  }

  void say_polling() {
    if (files_.why_polling() == said_) return;
    said_ = files_.why_polling();
    say(fmt::format("Looks at the files twice a second: {}.", said_));
  }

  /// Takes what has happened meanwhile: saves, keys, the end of the terminal.
  void look() {
    for (fs::path& file : files_.fresh()) {
      saved_at_ = Clock::now();
      saved_.push_back(std::move(file));
    }
    while (const char key = keys_.next()) {
      if (key == 'q' || key == 4)  // Ctrl-D
        ended_ = true;
      else
        pressed_ += key;
    }
    ended_ = ended_ || keys_.lost();
  }

  void wait() {
    if (keys_.size_changed()) context_.terminal.look_again();
    if (keys_.there()) context_.terminal.status(key_line);
    pollfd ready[] = {{keys_.there() ? STDIN_FILENO : -1, POLLIN, 0},
                      {files_.descriptor(), POLLIN, 0},
                      {STDOUT_FILENO, 0, 0}};  // the reader of a pipe may have gone
    poll(ready, std::size(ready), static_cast<int>(files_.until_next().count()));
    if (ready[2].revents & (POLLERR | POLLHUP | POLLNVAL)) ended_ = true;
  }

  bool lesson_has(const LessonEntry& lesson, const fs::path& file) const {
    return file.parent_path() == tree_ / lesson.name || file.parent_path() == tree_ / lesson.name / "given";
  }

  void take_saved() {
    std::vector<std::string> names, mine;
    const Progress progress(context_);
    const auto started = [&](const StepEntry& s) { return progress.is_begun(s); };
    pressed_.clear();  // keys of before the save were meant for what was there then
    for (const fs::path& file : std::exchange(saved_, {})) {
      names.push_back(file.filename().string());
      for (LessonEntry* lesson : lessons_) {
        if (!lesson_has(*lesson, file)) continue;
        if (file.filename() == "rungs.toml") read_again(lesson);
        for (const std::string& path : steps_touched_by(file, *lesson, tree_ / lesson->name, started)) {
          if (std::find(order_.begin(), order_.end(), path) == order_.end()) continue;
          mine.push_back(path);
          if (step(path).file == file.filename()) current_ = path;
        }
      }
    }
    say(fmt::format("\n{}  {} saved", time_of_day(), fmt::join(names, ", ")));
    say_polling();
    if (mine.empty() && queue_.empty())
      say("Nothing to judge: it is none of the rungs that are watched, nor part of one that is begun.");
    queue_.insert(queue_.end(), mine.begin(), mine.end());
    nearest_first(queue_, current_, order_);
  }

  /// A table was saved: hints, targets and hours.
  void read_again(LessonEntry* lesson) {
    Catalogue::read_table(context_.root, *lesson);
    if (!lesson->problem.empty()) say(lesson->problem);
  }

  /// Nothing when a save or the end came while another ladder worked: what was to be done waits for its turn.
  std::unique_ptr<BuildLock> lock_or_stop() {
    try {
      return std::make_unique<BuildLock>(context_);
    } catch (const UsageError&) {
      return nullptr;
    }
  }

  void work() {
    const StopWhen again([this] { return look(), ended_ || !saved_.empty(); });
    const auto lock = lock_or_stop();
    while (lock && !queue_.empty() && !interrupted()) {
      try {
        if (!judge_saved(context_, {queue_.front(), queue_.front() == current_, saved_at_})) {
          if (!ended_ && (!saved_.empty() || !interrupted()))
            say("Saved meanwhile: judging begins again, with what you saved.");
          break;
        }
      } catch (const std::exception& error) {  // of a file that went meanwhile, for one: the next save counts
        if (!interrupted()) say(error.what());
      }
      queue_.erase(queue_.begin());
    }
    context_.terminal.begin_work();
  }

  void again() {
    saved_at_.reset();
    queue_ = {current_};
  }

  void act(char key) {
    switch (key) {
      case 'n':
        return go_on();
      case 'h':
        return call("hint");
      case 'b':
        return call("bench");
      case 'p':
        return call("profile");
      case 'd':
        return call("diff");
      case '?':
        return context_.terminal.print("\n" + std::string(key_text));
      case '\r':
      case '\n':
        return again();
      default:
        return;
    }
  }

  /// What comes after a step that is done; of one that is not, the next in the table that is left, from the
  /// first one again after the last.
  const StepEntry* next_of_watched(const Progress& progress) const {
    if (progress.done(step(current_)))
      if (const StepEntry* next = next_after(context_, progress, step(current_), among()).step) return next;
    const auto at = std::find(order_.begin(), order_.end(), current_);
    std::vector<std::string> others(at + 1, order_.end());
    others.insert(others.end(), order_.begin(), at);
    for (const std::string& path : others)
      if (progress.left_to_do(step(path))) return &step(path);
    return nullptr;
  }

  void go_on() {
    const Progress progress(context_);
    const StepEntry* next = next_of_watched(progress);
    if (!next) return say("No other rung of those that are watched is left to do.");
    current_ = next->path();
    const std::string idea = next->row.is_object() ? next->row.value("idea", "") : "",
                      state = progress.state(*next), shown = progress.shown_state(*next);
    say(fmt::format("\n{}  {}", context_.terminal.bold(next->label()), idea));
    say(fmt::format("  read   lessons/{}/README.md\n  write  {}/{}/{}   ({})", next->lesson,
                    context_.options.tree, next->lesson, next->file, shown));
    if (state != "not started") again();
  }

  /// What watch was told, for verbs that judge.
  void add_options(const std::string& verb, std::vector<std::string>& words) const {
    const Options& mine = context_.options;
    if (verb == "hint") return;  // of what was judged last
    if (!mine.device.empty()) words.insert(words.end(), {"--device", mine.device});
    if (verb == "diff") return;  // of both trees
    words.insert(words.end(), {"--tree", mine.tree});
    if (mine.seed) words.insert(words.end(), {"--seed", std::to_string(*mine.seed)});
    if (mine.size > 0) words.insert(words.end(), {"--size", std::to_string(mine.size)});
  }

  /// Another verb, for this step, in this process; a save ends it.
  void call(const std::string& verb) {
    const std::vector<Verb> verbs = student_verbs();
    const auto names = names_of(verbs);
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), verb) - names.begin());
    if (at == names.size()) return say(fmt::format("This copy has no ./ladder {}.", verb));
    std::vector<std::string> words = {"./ladder", verb, step(current_).label()};
    say("\n" + context_.terminal.bold(fmt::format("{}", fmt::join(words, " "))));
    add_options(verb, words);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    const StopWhen again([this] { return look(), ended_ || !saved_.empty(); });
    std::unique_ptr<BuildLock> lock;  // as ./ladder: hint and other light verbs wait for nobody
    if (std::string_view(verbs[at].lock) != "light" && !(lock = lock_or_stop())) return;
    try {
      Options options;
      if (!read_options(static_cast<int>(argv.size()), argv.data(), options, verbs)) run_verb(options, verbs);
    } catch (const std::exception& error) {
      if (!interrupted()) say(error.what());
    }
  }

  Context& context_;
  std::vector<LessonEntry*> lessons_;
  fs::path tree_;
  Keys keys_;
  SavedFiles files_;
  std::vector<std::string> order_;  ///< what is watched, "03-dgemm/g2_shared_tiles" each
  std::string current_;             ///< the step that is worked on
  std::vector<std::string> queue_;  ///< to be judged, the nearest first
  std::vector<fs::path> saved_;     ///< not looked into yet
  std::optional<Clock::time_point> saved_at_;
  std::string pressed_;  ///< keys that nobody has acted on
  bool ended_ = false;
  std::string said_;  ///< why it polls, as it was said last
};

}  // namespace

void add_watch_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  app.add_flag("--poll", o.poll,
               "look at the files twice a second, also where the file system tells of saves");
}

int watch(Context& context) {
  return Watch(context).run();
}

}  // namespace ladder
