/// @file
/// A row that lacks something does not compile, and the compiler's message names it.
// Guards: docs/adding-a-lesson.md#the-fields-of-a-row

#include "common/lesson/complete.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <filesystem>
#include <string>
#include <string_view>

#include "common/base/files.hpp"
#include "common/base/process.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;

constexpr Target whole{.metric = "bytes",
                       .bound = 1,
                       .necessary = "n bytes",
                       .amount = as_it_is,
                       .size = 8,
                       .own_cost = "copies all"};
constexpr TimeBound timed{.peer = "baseline", .size = 8};

consteval Step row(Target target, TimeBound time = timed, const char* second_hint = "And that?") {
  return {.file = "g1_one.cu",
          .idea = "An idea.",
          .targets = {target},
          .time = time,
          .hints = {"What?", second_hint}};
}

consteval Target changed(auto change) {
  Target target = whole;
  change(target);
  return target;
}

}  // namespace

TEST_CASE("what a row lacks") {
  const auto says = [](const char* text, std::string_view what) {
    return std::string_view(text).starts_with(what);
  };
  CHECK(std::string_view(lacking(row(whole))).empty());
  CHECK(std::string_view(lacking(row({}))).empty());  // no target: time is the idea
  CHECK(says(lacking(row(changed([](Target& t) { t.amount = nullptr; }))), "amount"));
  CHECK(says(lacking(row(changed([](Target& t) { t.necessary = ""; }))), "necessary"));
  CHECK(says(lacking(row(changed([](Target& t) { t.size = 0; }))), "size"));
  CHECK(says(lacking(row(changed([](Target& t) { t.own_cost = ""; }))), "proof or own_cost"));
  CHECK(says(lacking(row(changed([](Target& t) { t.proof = "n bytes are copied"; }))), "floor and proof"));
  CHECK(says(lacking(row(changed([](Target& t) { t.floor = as_it_is; }))), "floor and proof"));
  CHECK(std::string_view(lacking(row(changed([](Target& t) {
          t.own_cost = "", t.proof = "n bytes are copied", t.floor = as_it_is;
        }))))
            .empty());
  CHECK(std::string_view(lacking(row(changed([](Target& t) { t.own_cost = "", t.metric = "balance"; }))))
            .empty());
  CHECK(says(lacking(row(whole, {.peer = "baseline"})), "time.size"));
  CHECK(says(lacking(row(whole, timed, "")), "hints"));
}

TEST_CASE("a table with a row that lacks something does not compile, and the message names row and field") {
  const auto compiled = [](const std::string& amount) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("table-{}.cpp", ::getpid());
    write_text(file, R"(#include "common/lesson/complete.hpp"
struct Problem { int n; };
double bytes(const Problem& p, int ranks) { return 8.0 * p.n * ranks; }
inline constexpr ladder::Step steps[] = {
    {.file = "c1_whole.cpp", .idea = "x", .hints = {"a", "b"}},
    {.file = "g7_forgotten.cu", .idea = "x",
     .targets = {{.metric = "bytes", .bound = 1, .necessary = "8 n", )" +
                         amount + R"(.size = 8, .own_cost = "copies all"}}, .hints = {"a", "b"}}};
static_assert(ladder::complete<steps>);
)");
    const Ended ended = run_process(
        {.arguments = {LADDER_CXX, "-std=c++20", "-fsyntax-only", "-I", LADDER_PROJECT, file.string()}});
    std::filesystem::remove(file);
    return ended;
  };
  CHECK(compiled(".amount = ladder::amount<bytes>, ").ok());
  const Ended refused = compiled("");
  CHECK_FALSE(refused.ok());
  CAPTURE(refused.output);
  CHECK(refused.output.find("g7_forgotten.cu") != std::string::npos);
  CHECK(refused.output.find("amount: ") != std::string::npos);
  CHECK(refused.output.find("lacks something") != std::string::npos);
}
