/// @file
/// A judge for the tests of the tool. What it finds out about a step is in the step's source:
///     fake correctness WRONG first C[0][1]
///     fake all NO RECORD · fake all GARBAGE · fake all MISTYPED · fake all DIE · fake all SLEEP
///     fake all STRAY · fake all SAVED
/// A kind without such a line is PASS.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using nlohmann::json;

/// Whether the tool has said that nothing of its own works next to us.
bool is_quiet(const json& plan) {
  return std::filesystem::exists(plan["quiet"].get<std::string>());
}

/// The tool says so when it has read that times come next, and not before.
bool becomes_quiet(const json& plan) {
  for (int i = 0; i < 1000 && !is_quiet(plan); ++i) usleep(10000);
  return is_quiet(plan);
}

/// What the source says of a kind; PASS by default.
std::string order(const std::string& source, const std::string& kind) {
  std::ifstream in(source);
  for (std::string line; std::getline(in, line);)
    for (const std::string& key : {"fake " + kind + " ", std::string("fake all ")})
      if (const auto at = line.find(key); at != std::string::npos) return line.substr(at + key.size());
  return "PASS right";
}

/// "fake detail HEADING: TEXT", a block of its own each.
json details_of(const std::string& source) {
  json details = json::array({json::array({"Think", "What comes first?"})});
  std::ifstream in(source);
  const std::string mark = "fake detail ";
  for (std::string line; std::getline(in, line);)
    if (const auto at = line.find(mark), colon = line.find(": ", at); at != line.npos && colon != line.npos)
      details.push_back({line.substr(at + mark.size(), colon - at - mark.size()), line.substr(colon + 2)});
  return details;
}

/// "fake missed 4.5": what a target measured; 0: no such line.
double missed_in(const std::string& source) {
  std::ifstream in(source);
  const std::string mark = "fake missed ";
  for (std::string line; std::getline(in, line);)
    if (const auto at = line.find(mark); at != line.npos) return std::atof(line.c_str() + at + mark.size());
  return 0;
}

json missed_target(double measured) {
  return {{"metric", "sectors"},
          {"relation", "<="},
          {"bound", 1.1},
          {"measured", measured},
          {"verdict", "MISSED"},
          {"met", false},
          {"reason", ""},
          {"amount", 16384 * measured},
          {"points", 1.1},
          {"max_points", 4.0},
          {"necessary_amount", 16384.0},
          {"necessary", "n x n sectors"}};
}

/// A process that would outlive us in a session of its own.
void leave_a_stray(const std::string& where) {
  if (const pid_t child = fork(); child == 0) {
    setsid();
    std::ofstream(where) << getpid() << std::flush;
    sleep(1000);
    _exit(0);
  }
  sleep(1);
}

/// One launch with one line that wastes, and a trace of one kernel, as the real judge hands them over.
void write_profile(const json& plan, const json& step, std::ofstream& results) {
  const std::string stem = plan["scratch"].get<std::string>() + "/" + step["step"].get<std::string>();
  json at = json::array();
  for (int lane = 0; lane < 32; ++lane) at.push_back(512 * lane);
  const json site = {{"file", "solutions/07-toy/g1_naive.cu"}, {"line", 4}};
  const json line = {
      {"site", site},
      {"space", "global"},
      {"operation", "load"},
      {"size", 8},
      {"requests", 10},
      {"lanes", 320},
      {"sectors", 320},
      {"necessary_sectors", 80},
      {"distinct_bytes", 2560},
      {"worst", {{"block", {0, 0, 0}}, {"warp", 0}, {"mask", 4294967295u}, {"at", at}, {"object", "dA"}}}};
  const json launch = {{"kernel", "work"},
                       {"site", site},
                       {"grid", {64, 1, 1}},
                       {"block", {1024, 1, 1}},
                       {"static_shared", 0},
                       {"dynamic_shared", 0},
                       {"observed_blocks", 64},
                       {"counters",
                        {{"global_load_sectors", 320},
                         {"global_store_sectors", 0},
                         {"global_atomic_sectors", 0},
                         {"global_load_requests", 10}}},
                       {"skipped", json::object()},
                       {"lines", {line}},
                       {"branches", json::array()}};
  std::ofstream(stem + ".observation.json") << json{{"schema", "gpu-ladder-observation/1"},
                                                    {"device", "executor"},
                                                    {"launches", {launch}},
                                                    {"findings", json::array()},
                                                    {"incomplete", ""}};
  std::ofstream(stem + ".trace.json") << R"({"otherData":{"recorders":"executor"},"traceEvents":[
{"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":"device 0 stream 0"}},
{"ph":"X","name":"work","cat":"kernel","ts":0,"dur":1,"pid":0,"tid":0,"args":{"id":1,"grid":[64,1,1],"block":[1024,1,1],"after":[]}}]})";
  results << json{{"record", "profile"},
                  {"lesson", plan["lesson"]},
                  {"step", step["step"]},
                  {"tree", step["tree"]},
                  {"mutant", ""},
                  {"backend", step["backend"]},
                  {"size", plan["size"] == 0 ? json(64) : plan["size"]},
                  {"problem", "n = 64"},
                  {"operations", 1e6},
                  {"array_bytes", 4096},
                  {"target",
                   {{"metric", "sectors"},
                    {"relation", "<="},
                    {"bound", 1.1},
                    {"necessary", "n sectors"},
                    {"necessary_amount", 80.0},
                    {"amount", 320.0},
                    {"measured", 4.0}}},
                  {"observation", stem + ".observation.json"},
                  {"trace", stem + ".trace.json"}}
          << std::endl;
}

/// What a step costs under observation, as the real judge says it.
void write_costs(const json& plan, const json& step, std::ofstream& results) {
  const auto interval = [](double median) {
    return json{{"median", median}, {"low", 0.9 * median}, {"high", 1.1 * median}, {"runs", 5}};
  };
  const auto measure = [&](double ratio, const char* decision) {
    return json{{"reference", interval(0.01)},
                {"measured", interval(0.01 * ratio)},
                {"ratio", interval(ratio)},
                {"noise", interval(1)},
                {"decision", decision}};
  };
  results << json{{"record", "costs"},
                  {"lesson", plan["lesson"]},
                  {"step", step["step"]},
                  {"tree", step["tree"]},
                  {"mutant", ""},
                  {"backend", step["backend"]},
                  {"problem", "n = 64"},
                  {"cost",
                   {{"bound", 40},
                    {"rounds", 5},
                    {"foreign_load", 0.01},
                    {"processor", measure(20, "met")},
                    {"wall", measure(50, "not met")}}}}
          << std::endl;
}

/// What a user's file holds: its first line is "bad", or says n. @return the exit status
int describe_file(const std::string& path, std::ostream& results) {
  std::string first;
  std::getline(std::ifstream(path) >> std::ws, first);
  json record = {{"record", "file"}};
  if (first == "bad")
    record["problem"] = path + ":1: is bad";
  else
    record["holds"] = {{"n", std::atoi(first.c_str())}, {"nnz", 7}};
  if (first != "silent") results << record << std::endl;
  return first == "bad" ? 1 : 0;
}

}  // namespace

int main() {
  const json plan = json::parse(std::ifstream(std::getenv("LADDER_PLAN")));
  if (const char* copy = std::getenv("FAKE_PLAN_COPY")) std::ofstream(copy) << plan.dump(1);
  if (const char* all = std::getenv("FAKE_PLANS")) {  // a line at once: several judges write there
    json line = plan;
    const char* const threads = std::getenv("OPENBLAS_NUM_THREADS");
    line["threads_of_judge"] = threads ? threads : "";
    std::ofstream(all, std::ios::app) << line.dump() + "\n";
  }
  std::ofstream results(plan["results"].get<std::string>(), std::ios::app);
  if (plan["kinds"].empty()) return describe_file(plan["file"], results);
  bool good = true, timed = false;
  for (const json& step : plan["steps"])
    for (const std::string kind : plan["kinds"]) {
      std::string said = order(step["source"], kind);
      const bool failed = kind == "time" && step.contains("failed");  // as the real one: it is not timed
      if (failed) {
        said =
            step["failed"]["verdict"].get<std::string>() + " " + step["failed"]["message"].get<std::string>();
        std::replace(
            said.begin(),
            said.begin() + static_cast<std::ptrdiff_t>(step["failed"]["verdict"].get<std::string>().size()),
            ' ', '_');
      }
      if (!timed && is_quiet(plan)) said = "WRONG quiet before any time was taken";
      results << json{{"record", "progress"},
                      {"step", step["step"]},
                      {"tree", step["tree"]},
                      {"mutant", step["mutant"]},
                      {"backend", step["backend"]},
                      {"kind", kind},
                      {"text", "n = 64"},
                      {"done", 1},
                      {"of", 2}}
              << std::endl;
      timed = timed || kind == "time";
      if (kind == "time" && !becomes_quiet(plan)) said = "WRONG not quiet for times";
      if (said.rfind("NO RECORD", 0) == 0) continue;
      if (said.rfind("GARBAGE", 0) == 0) {
        results << "{\"record\": \"verd" << std::endl;
        continue;
      }
      if (said.rfind("MISTYPED", 0) == 0) {  // JSON whose fields are not what a judge writes
        results << "{\"record\": 5}\n{\"record\": \"progress\", \"step\": 7, \"of\": \"two\"}\n"
                << "{\"record\": \"verdict\", \"step\": [], \"tree\": {}}" << std::endl;
        continue;
      }
      if (said.rfind("DIE", 0) == 0) {
        std::puts("the judge's last words");
        std::fflush(stdout);
        raise(SIGSEGV);
      }
      if (said.rfind("SLEEP", 0) == 0) sleep(1000);
      if (said.rfind("STRAY", 0) == 0) leave_a_stray(said.substr(6));
      if (said.rfind("SAVED", 0) == 0)  // by its student, while it is judged
        std::ofstream(step["source"].get<std::string>(), std::ios::app) << "// meanwhile\n";
      const bool passes = said.rfind("STRAY", 0) == 0 || said.rfind("SAVED", 0) == 0;
      std::string verdict = passes ? "PASS" : said.substr(0, said.find(' '));
      for (char& c : verdict) c = c == '_' ? ' ' : c;
      json record = {{"record", "verdict"},
                     {"lesson", plan["lesson"]},
                     {"step", step["step"]},
                     {"tree", step["tree"]},
                     {"mutant", step["mutant"]},
                     {"backend", step["backend"]},
                     {"device", step["device"]},
                     {"data", "host"},
                     {"kind", kind},
                     {"verdict", verdict},
                     {"message", said.substr(std::min(said.size(), said.find(' ') + 1))},
                     {"details", details_of(step["source"])},
                     {"points", 1.0},
                     {"max_points", 4.0}};
      if (said.find("unconfined") != std::string::npos) record["unconfined"] = {"could write anywhere"};
      if (kind == "correctness") record["cases"] = {{{"class", "general"}, {"passed", 5}, {"of", 5}}};
      if (kind == "targets")
        record["targets"] = {{{"metric", "sectors"},
                              {"relation", "<="},
                              {"bound", 1.1},
                              {"measured", 1.02},
                              {"verdict", "PASS"},
                              {"met", true},
                              {"reason", ""}}};
      if (const double missed = missed_in(step["source"]); kind == "targets" && missed > 0)
        record["targets"] = json::array({missed_target(missed)});
      if (kind == "time" && !failed) {
        record["time"] = {
            {"median", 0.01}, {"low", 0.009}, {"high", 0.011}, {"runs", 15}, {"problem", {{"n", 64}}}};
        record["time"]["foreign_load"] = said.find("busy 45 %") != std::string::npos ? 0.45 : 0.0;
        record["ratio"] = {{"baseline", 2.0}, {"OpenBLAS", 0.5}};
        record["energy"] = {{"joules", 0.0123}, {"calls", 50},
                            {"seconds", 0.52},  {"in_calls", 0.5},
                            {"source", "GPU"},  {"reason", "the processor's counters are closed"}};
      }
      if (kind == "profile" && verdict == "PASS") write_profile(plan, step, results);
      if (kind == "hardware" && verdict == "PASS" && plan.contains("under"))
        results << json{{"record", "hardware"},
                        {"lesson", plan["lesson"]},
                        {"step", step["step"]},
                        {"tree", step["tree"]},
                        {"mutant", step["mutant"]},
                        {"backend", step["backend"]},
                        {"printed", "ran under " + plan["under"].dump() + "\n"}}
                << "\n";
      if (kind == "costs" && verdict == "PASS") write_costs(plan, step, results);
      results << record << std::endl;
      good = good && (verdict == "PASS" || verdict == "SKIPPED");
    }
  if (plan["kinds"][0] == "reproduce" && plan.value("only", "") != "nothing") {
    // As far as it was at first: the whole one takes its place.
    results << json{{"record", "reproduction"},
                    {"title", "Table 2"},
                    {"columns", json::array({"n"})},
                    {"rows", json::array({json::array({16})})}}
            << std::endl;
    results << json{{"record", "reproduction"},
                    {"title", "Table 2"},
                    {"columns", {"n", "theirs", "ours"}},
                    {"rows", {{16, 0.5, 0.25}, {32, 1.0, "-"}}},
                    {"notes", {"in seconds"}}}
            << std::endl;
  }
  return good ? 0 : 1;
}
