#include "common/tool/standing/measured_hint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/report/text/table.hpp"

namespace ladder {
namespace {

struct Question {
  std::string_view of, text;
};

// What to look for, never what to write.
constexpr Question metric_questions[] = {
    {"bytes_to_device", "Which copy sends the device something that it already has?"},
    {"bytes_to_host", "What comes back that the host never reads?"},
    {"bytes",
     "List what crosses the bus, and in which iteration. Which of it does the other side have already?"},
    {"pageable_bytes", "Which host arrays take part in a copy, and how was each of them allocated?"},
    {"launches", "Which launch calls come again with the same arguments, or could be one?"},
    {"kernels", "Which kernels follow each other on the same data with nothing between them?"},
    {"waits", "At which lines does the host stand still, and what does it do with what it waited for?"},
    {"peak_device_bytes",
     "At the moment with most memory, which buffers are alive whose data nobody reads again?"},
    {"work_items", "How many threads find at once that there is nothing for them to do?"},
    {"chain", "Draw which operation waits for which. Which arrow is there although no data goes along it?"},
    {"path", "Draw which operation waits for which. Which arrow is there although no data goes along it?"},
    {"overlap", "Which copy could run while a kernel works on something else?"},
    {"bytes_sent", "What does a rank send to another one that has it, or that does not need all of it?"},
    {"balance",
     "How many chunks of work are there, how unequal are they, and who decides which thread gets which?"},
    {"branches", "Which conditions are asked for each element although the launch already answers them?"},
    {"sectors",
     "Take the line that costs most. Which addresses do the 32 lanes of a warp access there, and how many "
     "sectors of 32 bytes is that?"},
    {"sectors_per_flop",
     "How often is one element loaded from global memory, by all threads of a block together?"},
    {"sweeps",
     "Count the passes over all of the data. Which two could happen between one load and one store?"},
    {"wavefronts", "Take the line that costs most. In which banks are the words that the 32 lanes access?"},
    {"wavefronts_per_fma",
     "How many values does a thread read from shared memory, for how many multiply-adds?"},
    {"requests_per_byte", "How many bytes does one lane get with one load, and how many could it get?"},
    {"barriers", "Who writes and who reads between two barriers? Which barrier separates nothing?"},
    {"most_barriers",
     "Which block has the most passes, and which blocks have nothing to do meanwhile? Who could take some?"},
    {"grid_barriers",
     "Of what is read after a wait of the whole grid: which part could a block compute from what was there "
     "before it?"},
    {"atomics", "How many threads update the same counter, and who could add up for them before?"},
    {"local_bytes", "Which array of a thread has an index that the compiler does not know?"},
    {"fp64_operations", "Which operations in double precision compute something that fits in integers?"},
    {"fp64_instructions",
     "Which division, root or function of the library costs most, and what could be looked up or left out?"},
    {"conversions", "Which bits of the double say already what its conversion to another type computes?"},
    {"divergent_branches", "At which condition do lanes of a warp part, and could all of them go one way?"},
    {"active_lanes", "At which branch do some lanes of a warp wait for the others, and how many?"},
    {"tail_efficiency",
     "How many blocks fit on the device at once, and how many are left for the last wave?"},
    {"findings", "Two threads and one place in memory: what separates their accesses?"},
    {"ulps",
     "How large is the sum when the next small term is added, and what happens to that term's last digits?"},
};

constexpr Question class_questions[] = {
    {"general",
     "Usual sizes fail. ./ladder check with --size 2 shows every number, and which thread reads and writes "
     "what: "
     "where does the first wrong element come from?"},
    {"tails",
     "The size is no multiple of a block or tile. Which threads have nothing of their own there, and what "
     "do they read, write or skip?"},
    {"zero sizes", "A size is 0. What is launched then, divided by, or read?"},
    {"no rows", "There are no rows. What is launched then, divided by, or read?"},
    {"thin", "One side is 1. Which index or loop takes for granted that there is a second one?"},
    {"one tile", "All fits into one tile. Which loop then runs once, or never?"},
    {"one past a tile",
     "The last tile holds a single row or column. What do the other threads of its block do?"},
    {"leading dimensions",
     "Rows lie further apart than they are long. Where do you use the length for the distance?"},
    {"alignment",
     "The arrays begin where the contract allows it, not where cudaMalloc does. Which access takes more than "
     "one element, and "
     "what does it take for granted of the address?"},
    {"ill-scaled",
     "Large and tiny numbers meet. In which order are they added, and what are they compared with?"},
    {"ties", "Two candidates are equal. Which one does the contract want, and which one do you take?"},
    {"singular", "There is no pivot. What does the contract ask for then, and who notices it?"},
    {"nearly singular", "A pivot is tiny but not 0. Is it the largest one that there is?"},
    {"zero pivots", "A pivot is 0. Who looks for another row, and does everybody hear of it?"},
    {"small pivots", "A pivot is tiny but not 0. Is it the largest one that there is?"},
    {"not positive definite",
     "A root of a number that is not positive. What does the contract ask for then?"},
    {"not finite", "The input has numbers that are not finite. What becomes of 0 times such a number?"},
    {"threads", "The number of threads is another one than usual. What takes it for granted?"},
    {"grid",
     "The grid is given: fewer threads than elements, or more. Does each element get its turn, once?"},
};

// For findings, by the words of the verdict's line: a way to see for oneself what the finding says.
constexpr Question finding_questions[] = {
    {"race in shared memory",
     "Write a table: time goes down, a column for each of the two threads, a line across for each barrier. "
     "Which two accesses are between the same two lines?"},
    {"race in device memory",
     "Blocks run in any order, and inside a kernel none waits for another. In which order would the two "
     "accesses "
     "give another result?"},
    {"race between threads",
     "Run it in your head with two threads, one line each in turn: which order loses something?"},
    {"access out of bounds",
     "Put the block and thread that are named into the index on that line. What does it become, and which "
     "condition should have kept this thread from it?"},
    {"memory that nobody wrote",
     "Follow the element that is named backwards: which line writes it, for which threads and which sizes?"},
    {"barrier that not all",
     "Which threads of one block take which branch before that barrier? Try one of each kind."},
    {"phase that does not end",
     "Write down round by round which phase each side waits for and who arrives for it. In which round does "
     "nobody arrive, or one side run ahead?"},
    {"a lane that is not there",
     "List the 32 lanes: which of them come to that line, and which ones does each read from?"},
    {"result read before",
     "Which calls return before the device has done the work, and which one waits for it?"},
    {"touch the same data unordered",
     "Draw the streams as two lines, and an arrow for each wait. Which arrow is missing?"},
    {"host memory and device memory",
     "Write behind each pointer of that line who may follow it: the host or the device."},
    {"never freed", "Which function owns this memory? Follow each way out of it, errors too."},
    {"memory that was freed",
     "Write down when the memory is freed and when each kernel that uses it has ended."},
    {"misaligned access",
     "What is the address divided by the size of what is loaded, and where does the rest come from?"},
};

template <std::size_t n>
std::string_view find_in(const Question (&all)[n], std::string_view name) {
  for (const Question& one : all)
    if (one.of == name) return one.text;
  return "";
}

bool missed(const model::Target& target) {
  return target.verdict == Verdict::missed || target.met == false;
}

std::string target_text(const model::Target& target) {
  if (!target.measured) return target.metric + " was not measured";
  return fmt::format("{}: {}{} ({} {})", target.metric, report::short_number(*target.measured),
                     target.necessary_amount > 1 ? " × the minimum" : "",
                     target.relation == ">=" ? "at least" : "limit", report::short_number(target.bound));
}

/// Headings in which a judge says where it went wrong.
bool says_where(const std::string& heading) {
  return heading == "What happened" || heading == "Where it is" || heading == "Note" ||
         heading == "Experiment" || heading == "Ended with" || heading.rfind("line ", 0) == 0;
}

bool has_detail(const model::StepResult& last, const char* heading) {
  return std::any_of(last.details.begin(), last.details.end(),
                     [&](const auto& detail) { return detail.first == heading; });
}

/// Whether the judge knows more than which cases fail: a question about their class would lead away from it.
bool names_cause(const model::StepResult& last) {
  return has_detail(last, "What happened") || has_detail(last, "Think");
}

void add_finding_question(const model::StepResult& last, std::vector<HintBlock>& blocks) {
  for (const Question& one : finding_questions)
    if (last.message.find(one.of) != std::string::npos) return void(blocks.emplace_back("Try", one.text));
}

void add_cases(const model::StepResult& last, std::vector<HintBlock>& blocks) {
  std::string right, wrong, first;
  for (const auto& [name, passed, of] : last.cases) {
    std::string& list = passed == of ? right : wrong;
    list += (list.empty() ? "" : ", ") + fmt::format("{} ({} of {})", name, passed, of);
    // A class next to it is special only where the usual cases are right.
    if (passed < of && (first.empty() || (name == "general" && passed == 0))) first = name;
  }
  if (wrong.empty()) return;
  blocks.emplace_back(
      "Measured",
      fmt::format("wrong: {}. {}", wrong, right.empty() ? "No class is right." : "Right: " + right + "."));
  if (names_cause(last)) return;
  const std::string_view own = question_of_class(first);
  blocks.emplace_back(
      "Ask yourself",
      own.empty() ? fmt::format("What is special about the cases of class '{}'?", first) : std::string(own));
}

void add_targets(const model::StepResult& last, std::vector<HintBlock>& blocks) {
  for (const model::Target& target : last.targets) {
    if (!missed(target)) continue;
    blocks.emplace_back("Measured", target_text(target));
    if (has_detail(last, "Think")) return;  // the judge has seen the lines, and asks about them
    if (const auto question = question_of_metric(target.metric); !question.empty())
      blocks.emplace_back("Ask yourself", question);
    return;  // one thing at a time: the first that missed
  }
}

/// The first lines that the judge itself said about the place, and its question.
void add_where(const model::StepResult& last, std::vector<HintBlock>& blocks) {
  constexpr std::size_t max_places = 2;
  std::size_t places = 0;
  for (const auto& [heading, text] : last.details)
    if (heading == "Think" || (says_where(heading) && places++ < max_places))
      blocks.emplace_back(heading, text);
}

std::string_view question_of_verdict(Verdict verdict) {
  if (verdict == Verdict::build_error)
    return "Only the first error counts: what does the compiler know at that line, and what not?";
  if (verdict == Verdict::crashed)
    return "Which pointer or index is used first? Try the smallest size: --size 1.";
  if (verdict == Verdict::timeout)
    return "Who waits for whom? A loop whose end is never reached, or a barrier that some threads skip?";
  if (verdict == Verdict::inconclusive)
    return "Nothing is wrong: the machine was too restless to decide. Is anything else running?";
  return "";
}

}  // namespace

std::string_view question_of_metric(std::string_view metric) {
  std::string name(metric.substr(0, metric.find(':')));
  std::replace(name.begin(), name.end(), ' ', '_');
  return find_in(metric_questions, name);
}

std::string_view question_of_class(std::string_view name) {
  return find_in(class_questions, name);
}

std::vector<HintBlock> measured_hint(const model::StepResult& last) {
  const Verdict verdict = last.verdict;
  std::vector<HintBlock> blocks;
  if (verdict == Verdict::not_run || verdict == Verdict::pass || verdict == Verdict::skipped ||
      verdict == Verdict::not_started)
    return blocks;
  if (verdict == Verdict::wrong) add_cases(last, blocks);
  if (verdict == Verdict::missed) add_targets(last, blocks);
  if (blocks.empty()) {
    blocks.emplace_back("Measured", fmt::format("{}: {}", name(verdict), last.message));
    if (const auto question = question_of_verdict(verdict); !question.empty() && !has_detail(last, "Think"))
      blocks.emplace_back("Ask yourself", question);
  }
  add_where(last, blocks);
  add_finding_question(last, blocks);
  return blocks;
}

std::string page_section(const std::string& page, const std::string& id) {
  const auto begin = page.find("\n### " + id + " ");
  if (begin == page.npos) return "";
  std::size_t end = page.size();
  for (const char* next : {"\n### ", "\n## "}) end = std::min(end, page.find(next, begin + 1));
  std::string text = page.substr(begin + 1, end - begin - 1);
  const auto cut = [&](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at)) {
      const auto last = text.find(to, at);
      text.erase(at, last == text.npos ? text.npos : last + to.size() - at);
    }
  };
  cut("<details", "</details>");
  cut("<!-- generated", "<!-- end -->");
  cut("<!--", "-->");
  std::istringstream in(text);
  std::string out;
  bool empty = false;  // before this line: at most one stays
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.find_first_not_of(' ') == line.npos) line.clear();
    if (line.rfind("![", 0) == 0 || (line.empty() && (empty || out.empty()))) continue;
    empty = line.empty();
    for (auto at = line.find("\\_"); at != line.npos; at = line.find("\\_", at)) line.erase(at, 1);
    out += line + "\n";
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace ladder
