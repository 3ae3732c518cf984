/// @file
/// The verb grade: a folder of submissions, each judged confined, in a process of its own.

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <set>
#include <thread>

#include "common/grade/key.hpp"
#include "common/grade/record.hpp"
#include "common/grade/symbols.hpp"
#include "common/report/results.hpp"
#include "common/tool/grade_store.hpp"
#include "common/tool/grading.hpp"
#include "common/tool/judging.hpp"
#include "common/tool/machine.hpp"
#include "common/tool/software.hpp"
#include "common/tool/names.hpp"
#include "common/tool/plan_file.hpp"
#include "common/tool/uid_block.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr double most_seconds = 3600;           // of one submission, whatever happens in it
constexpr double room_bytes = 300e6;            // on disk, of one submission while it is graded

/// "03/g1-g3" is three names.
std::vector<std::string> without_ranges(Catalogue& catalogue, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const auto slash = name.find('/'), dash = slash == name.npos ? slash : name.find('-', slash);
    const auto is_id = [](const std::string& s) {
      return s.size() > 1 && std::isalpha(static_cast<unsigned char>(s[0])) &&
             std::all_of(s.begin() + 1, s.end(), [](unsigned char c) { return std::isdigit(c); });
    };
    const std::string first = dash == name.npos ? "" : name.substr(slash + 1, dash - slash - 1);
    const std::string last = dash == name.npos ? "" : name.substr(dash + 1);
    if (!is_id(first) || !is_id(last)) {
      all.push_back(name);
      continue;
    }
    if (first[0] != last[0] || std::stoi(first.substr(1)) > std::stoi(last.substr(1)))
      throw UsageError{fmt::format("--rungs {}: a range is of one track and goes upwards, as 03/g1-g3", name)};
    for (int i = std::stoi(first.substr(1)); i <= std::stoi(last.substr(1)); ++i)
      all.push_back(fmt::format("{}/{}{}", name.substr(0, slash), first[0], i));
  }
  catalogue.resolve(all);  // names that are not there
  return all;
}

/// Everything that a submission's build and judging use and that is not its own.
void build_what_all_share(Batch& batch) {
  Context& context = batch.context;
  std::set<std::string> targets;
  for (GradedStep& step : batch.steps) {
    if (!step.place.skip.empty()) continue;
    Job job{.step = step.step, .tree = "lessons", .place = step.place};
    Task task{.lesson = &context.catalogue.lesson(step.step->lesson), .jobs = {job}};
    for (std::string& target : targets_of(context, task)) targets.insert(std::move(target));
  }
  const auto failures = context.build.make({targets.begin(), targets.end()}, context.build_progress());
  for (const auto& [target, failure] : failures)
    if (!target.starts_with("workers/lessons/"))
      throw UsageError{fmt::format("the harness does not build: {}: {}", target, failure.line())};
}

void find_recipes(Batch& batch) {
  for (GradedStep& step : batch.steps) {
    if (!step.place.skip.empty()) continue;
    Job job{.step = step.step, .tree = "lessons", .place = step.place};
    std::vector<std::string> backends = {step.place.backend};
    if (step.step->family() == "cuda") backends.push_back("observed");
    for (const auto& [what, worker] : job.sanitized_workers()) backends.push_back(fs::path(worker).extension().string().substr(1));
    for (const std::string& backend : backends)
      if (batch.context.build.knows(job.worker_stem() + "." + backend))
        step.recipes.push_back(recipe_for(batch.context.build, *step.step, backend));
  }
}

/// Symbols that files define for others.
std::set<std::string> names_defined_in(std::vector<std::string> files, const char* table) {
  std::vector<std::string> command = {"nm", "-P", "--defined-only", table};
  command.insert(command.end(), files.begin(), files.end());
  const Ended ended = run_process({.arguments = std::move(command), .seconds = 60, .output_only = true});
  grade::Symbols found = grade::symbols_from(ended.output);
  found.defined.merge(found.data);
  if (table == std::string_view("-D")) found.defined.merge(found.weak);  // the C library's write() is weak
  return found.defined;
}

/// The libraries that steps are linked with, or call.
std::vector<std::string> shared_libraries() {
  std::vector<std::string> files;
  for (const char* name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgomp.so.1", "libOpenCL.so.1", "libmpi.so.40"}) {
    const Ended found = run_process({.arguments = {"c++", std::string("-print-file-name=") + name}, .seconds = 20, .output_only = true});
    const std::string file = found.output.substr(0, found.output.find('\n'));
    if (file.starts_with("/")) files.push_back(file);
  }
  return files;
}

void find_symbols(Batch& batch) {
  std::set<std::string> archives;
  for (const GradedStep& step : batch.steps)
    for (const Recipe& recipe : step.recipes)
      for (const std::string& file : recipe.reads)
        if (file.starts_with(batch.context.build.folder().string()) && file.ends_with(".a")) archives.insert(file);
  if (!archives.empty()) batch.harness_names = names_defined_in({archives.begin(), archives.end()}, "-g");
  batch.library_names = names_defined_in(shared_libraries(), "-D");
}

/// Which of how many parts of a batch: 0 of 1 is all. @throws UsageError
std::pair<std::size_t, std::size_t> shard_of(const GradeOptions& options) {
  if (options.shard.empty()) return {0, 1};
  std::size_t part = 0, of = 0;
  char rest = 0;
  if (std::sscanf(options.shard.c_str(), "%zu/%zu%c", &part, &of, &rest) != 2 || part < 1 || part > of || of > 10000)
    throw UsageError{fmt::format("--shard {}: i/N, the i-th of N parts, as 1/4", options.shard)};
  return {part - 1, of};
}

/// What is in the folder, in the order of names: folders and archives. What is neither is refused when it is taken in.
std::vector<Submission> submissions_in(Batch& batch, const fs::path& folder) {
  if (!fs::is_directory(folder)) throw UsageError{fmt::format("{}: no folder of submissions", folder.string())};
  std::vector<Submission> found;
  std::set<std::string> pseudonyms;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".")) continue;
    Submission one{.name = name, .pseudonym = grade::pseudonym_of(batch.key, name), .path = entry.path()};
    if (!batch.options.only.empty() && batch.options.only != name && batch.options.only != one.pseudonym) continue;
    if (!pseudonyms.insert(one.pseudonym).second)
      throw UsageError{fmt::format("two submissions get the pseudonym {}: rename {}", one.pseudonym, name)};
    found.push_back(std::move(one));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto [part, of] = shard_of(batch.options);
  std::vector<Submission> mine;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i % of == part) mine.push_back(std::move(found[i]));
  return mine;
}

/// The processes that grade, one submission each.
class Lanes {
 public:
  Lanes(Batch& batch, std::size_t most) : batch_(batch), most_(most) {}
  ~Lanes() {
    for (auto& [pid, lane] : lanes_) ::kill(pid, SIGTERM);
    while (!lanes_.empty()) collect(true);
  }

  void start(const Submission& submission) {
    while (lanes_.size() >= most_) collect(true);
    const pid_t parent = ::getpid(), child = ::fork();
    if (child < 0) throw UsageError{fmt::format("cannot start a process: {}", std::strerror(errno))};
    if (child == 0) work(submission, parent);
    lanes_[child] = {&submission, report::now()};
  }
  void finish() {
    while (!lanes_.empty()) collect(true);
  }
  std::size_t done() const { return done_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Lane {
    const Submission* submission;
    std::string since;
  };

  [[noreturn]] void work(const Submission& submission, pid_t parent) const {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    const fs::path log = batch_.out / "logs" / (submission.pseudonym + ".log");
    if (!std::freopen(log.c_str(), "w", stdout) || ::dup2(1, 2) < 0) ::_exit(1);
    ::alarm(static_cast<unsigned>(most_seconds));
    int status = 1;
    try {
      prepare_processes();
      grade_one(batch_, submission);
      status = interrupted() ? 1 : 0;
    } catch (const UsageError& error) {
      std::fprintf(stdout, "%s\n", error.text.c_str());
    } catch (const std::exception& error) {
      std::fprintf(stdout, "%s\n", error.what());
    }
    batch_.context.leave_no_scratch();
    std::fflush(stdout);
    ::_exit(status);
  }

  /// Takes one that has ended; sweeps behind it.
  void collect(bool wait) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, wait ? 0 : WNOHANG);
    if (pid < 0 && errno == EINTR && interrupted())
      for (auto& [lane, of] : lanes_) ::kill(lane, SIGTERM);
    const auto lane = lanes_.find(pid);
    if (lane == lanes_.end()) return;
    const Submission& submission = *lane->second.submission;
    lanes_.erase(lane);
    sweep_after(batch_, submission);
    if (status != 0 && !interrupted()) {
      if (again_.insert(submission.pseudonym).second) return start(submission);  // once more: it may have been the machine
      note_failure(submission, status);
    }
    ++done_;
    batch_.context.terminal.progress(fmt::format("graded: {}", submission.pseudonym), share());
  }

  void note_failure(const Submission& submission, int status) {
    const fs::path log = batch_.out / "logs" / (submission.pseudonym + ".log");
    const std::string how = WIFSIGNALED(status) ? fmt::format("its grader died of signal {}", WTERMSIG(status)) : "it was not graded";
    problems_.push_back(fmt::format("{}: {}; see {}", submission.pseudonym, how, log.string()));
  }

  double share() const { return static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(1, total)); }

 public:
  std::size_t total = 0;

 private:
  Batch& batch_;
  std::size_t most_, done_ = 0;
  std::map<pid_t, Lane> lanes_;
  std::vector<std::string> problems_;
  std::set<std::string> again_;  ///< those that were started a second time
};

/// @param first_uid  of a block of its own; 0: the caller's
Sandbox choose_sandbox(Context& context, const GradeOptions& options, unsigned first_uid) {
  if (options.sandbox == "none") {
    if (!options.trust)
      throw UsageError{"--sandbox none lets submissions do whatever you may; add --trust when you trust them all"};
    return {};
  }
  Sandbox sandbox{.confine = context.build.file("bin/confine").string()};
  sandbox.uid = sandbox.gid = first_uid;
  const SandboxModes modes = probe(sandbox);
  const auto why_not = [&](const std::string& mode) { return mode == "bwrap" ? modes.no_bwrap : modes.no_uid; };
  sandbox.mode = options.sandbox.empty() ? modes.best() : options.sandbox;
  if (!sandbox.mode.empty() && why_not(sandbox.mode).empty()) return sandbox;
  const std::string why = sandbox.mode.empty() ? fmt::format("bwrap: {}; uid: {}", modes.no_bwrap, modes.no_uid)
                                               : fmt::format("{}: {}", sandbox.mode, why_not(sandbox.mode));
  if (options.trust && options.sandbox.empty()) return {};
  throw UsageError{fmt::format("submissions cannot be confined here: {}; --trust goes on without", why)};
}

grade::Key class_key(const GradeOptions& options) {
  const fs::path file = options.key.empty() ? fs::path(options.out) / "class.key" : fs::path(options.key);
  if (!fs::exists(file) && options.key.empty()) grade::write_new_key(file);
  return grade::read_key(file);
}

void check_place(const GradeOptions& options, const fs::path& work, std::size_t jobs) {
  // What was judged by another ladder, or before a mistake was mended, does not count for this batch.
  if (!options.resume && options.only.empty()) fs::remove_all(fs::path(options.out) / "judged");
  for (const char* folder : {"records", "judged", "logs", "pages", "sources"}) fs::create_directories(fs::path(options.out) / folder);
  try_to_write(fs::path(options.out) / "records" / ".writable");
  struct statvfs facts {};
  if (::statvfs(work.c_str(), &facts) != 0) return;
  const double free = static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  if (free < room_bytes * static_cast<double>(jobs + 1))
    throw UsageError{fmt::format("{} has {:.0f} MB free; grading {} at once needs {:.0f} MB: make room, or set TMPDIR",
                                 work.string(), free / 1e6, jobs, room_bytes * static_cast<double>(jobs + 1) / 1e6)};
}

/// The reference goes the way of the submissions, first: a batch that would misjudge it is not begun. Its time limits theirs.
void grade_reference(Batch& batch) {
  const fs::path solutions = batch.context.root / "solutions";
  if (!fs::is_directory(solutions)) return;
  const Submission reference{.name = "reference", .pseudonym = "reference", .path = solutions, .uid = batch.sandbox.mode.empty() ? 0 : batch.sandbox.uid};
  {
    Lanes lane(batch, 1);
    lane.total = 1;
    lane.start(reference);
    lane.finish();
    if (!lane.problems().empty()) throw UsageError{"the reference cannot be graded here: " + lane.problems().front()};
  }
  const json record = json::parse(read_text(batch.record_of(reference)), nullptr, false);
  for (std::size_t i = 0; i < batch.steps.size(); ++i) {
    const json& result = record.at("steps").at(i);
    const std::string verdict = result.value("verdict", "");
    const json uses = result.value("uses", json::array());
    batch.steps[i].reference_names = {uses.begin(), uses.end()};
    const bool right = verdict == "PASS" || verdict == "SKIPPED" || (verdict == "REVIEW" && result.value("judged_as", "") == "PASS");
    if (!right)
      throw UsageError{fmt::format("the reference of {} gets {} here: {}; nothing was graded", batch.steps[i].step->label(), verdict, result.value("message", ""))};
    batch.steps[i].max_points = result.value("max_points", 0.0);
    batch.steps[i].call_seconds = std::clamp(2 * result.value("judge_seconds", 10.0), 3.0, 20.0);
  }
  fs::rename(batch.record_of(reference), batch.out / "reference.json");
}

void grade_all(Batch& batch, std::vector<Submission>& submissions, std::size_t jobs, std::vector<std::string>& problems) {
  Lanes lanes(batch, jobs);
  lanes.total = submissions.size();
  unsigned next = 1;
  for (Submission& submission : submissions) {
    if (interrupted()) break;
    if (batch.options.resume && fs::exists(batch.record_of(submission))) continue;
    if (!batch.sandbox.mode.empty() && ::geteuid() == 0) {
      if (next == UidBlock::size)
        throw UsageError{fmt::format("more than {} submissions in one batch: use --shard", UidBlock::size - 1)};
      submission.uid = batch.sandbox.uid + next++;
    }
    lanes.start(submission);
  }
  lanes.finish();
  problems = lanes.problems();
}

std::string summary_of(const Batch& batch, const std::vector<Submission>& submissions, int& missing) {
  std::map<std::string, int> verdicts;
  int graded = 0;
  for (const Submission& submission : submissions) {
    const json record = json::parse(read_text(batch.record_of(submission)), nullptr, false);
    if (!record.is_object()) continue;
    ++graded;
    for (const json& step : record.at("steps")) ++verdicts[step.value("verdict", "")];
  }
  missing = static_cast<int>(submissions.size()) - graded;
  std::string text = fmt::format("{} of {} submissions graded", graded, submissions.size());
  for (const auto& [verdict, count] : verdicts) text += fmt::format(", {} {}", count, verdict);
  return text;
}

/// Puts what several shards have graded into one folder.
int merge(Context& context, const std::vector<std::string>& folders, const fs::path& out) {
  std::string key;
  std::vector<GradeStore> stores;
  for (const std::string& folder : folders) {
    stores.emplace_back(folder);
    for (const json& record : stores.back().records()) {
      if (key.empty()) key = record.value("key_id", "");
      if (record.value("key_id", "") != key)
        throw UsageError{fmt::format("{}: graded with another class key than {}; give all shards the same --key", folder, folders.front())};
    }
  }
  fs::create_directories(out);
  int records = 0;
  for (const GradeStore& store : stores) {
    for (const char* part : {"records", "sources", "logs", "judged"})
      if (fs::is_directory(store.folder() / part))
        fs::copy(store.folder() / part, out / part, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    if (const std::string log = read_text(store.folder() / "decisions.jsonl"); !log.empty())
      write_text(out / "decisions.jsonl", read_text(out / "decisions.jsonl") + log);
  }
  const GradeStore merged(out);
  records = static_cast<int>(merged.records().size());
  merged.write_pages();
  context.terminal.print(fmt::format("{}: {} records of {} folders", out.string(), records, folders.size()));
  return 0;
}

}  // namespace

int grade_submissions(Context& context) {
  const GradeOptions& options = context.options.grade;
  const auto& names = context.options.names;
  if (names.size() == 2 && names[0] == "key") {
    grade::write_new_key(names[1]);
    context.terminal.print(fmt::format("{}: a new class key; keep it, and keep it secret until grades are final", names[1]));
    return 0;
  }
  if (names.size() > 1 && names[0] == "merge") {
    if (options.out.empty()) throw UsageError{"--out FOLDER says where the merged grades go"};
    return merge(context, {names.begin() + 1, names.end()}, fs::absolute(options.out));
  }
  if (names.size() != 1) throw UsageError{"grade what? For example: ./ladder grade submissions/ --out grades/ --rungs 03/g1-g3"};
  if (options.out.empty()) throw UsageError{"--out FOLDER says where the grades go"};
  if (options.rungs.empty()) throw UsageError{"--rungs says what is graded, for example --rungs 03/g1-g3"};
  const std::size_t jobs = options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                                            : std::max(1u, std::thread::hardware_concurrency() / 2);
  Batch batch{.context = context, .options = options};
  batch.out = fs::absolute(options.out);
  fs::create_directories(batch.out);
  batch.key = class_key(options);
  const ScratchFolder work;  // others may pass through it to what is theirs
  fs::permissions(work.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  batch.work = work.path();
  check_place(options, batch.work, jobs);

  const auto rungs = without_ranges(context.catalogue, options.rungs);
  context.terminal.begin_work();
  context.build.refresh();
  context.read_tables(context.catalogue.resolve_lessons(rungs));
  for (const StepEntry* step : context.catalogue.resolve(rungs)) {
    GradedStep one{.step = step};
    one.place = context.placer().place(*step, context.build, fmt::format("workers/lessons/{}/{}", step->lesson, step->name));
    batch.steps.push_back(std::move(one));
  }
  build_what_all_share(batch);
  find_recipes(batch);
  find_symbols(batch);
  std::optional<UidBlock> uids;
  if (::geteuid() == 0 && options.sandbox != "none") uids.emplace();
  batch.sandbox = choose_sandbox(context, options, uids ? uids->first() : 0);
  batch.grader = {{"sandbox", batch.sandbox.mode.empty() ? "none (trusted)" : batch.sandbox.mode},
                  {"machine", machine_facts(false)},
                  {"ladder", {{"commit", commit_of(context.root)}}},
                  {"key_id", grade::key_id(batch.key)}};
  auto submissions = submissions_in(batch, names[0]);
  context.terminal.print(fmt::format("{} submissions, {} steps each, {} at once; sandbox: {}", submissions.size(),
                                     batch.steps.size(), jobs, batch.sandbox.mode.empty() ? "none (trusted)" : batch.sandbox.mode));
  grade_reference(batch);
  std::vector<std::string> problems;
  context.terminal.begin_work();
  grade_all(batch, submissions, jobs, problems);
  context.terminal.end_work();
  int missing = 0;
  const std::string said = summary_of(batch, submissions, missing);
  GradeStore(batch.out).write_pages();
  for (const std::string& problem : problems) context.terminal.print(problem);
  context.terminal.print(said);
  return missing == 0 && problems.empty() ? 0 : 1;
}

}  // namespace ladder
