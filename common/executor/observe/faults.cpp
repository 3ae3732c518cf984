#include "common/executor/observe/faults.hpp"

#include <cctype>
#include <sstream>
#include <string_view>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/comparisons.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// A message of the runtime is recognised by a part of its text.
struct Known {
  std::string_view text;
  const char *kind, *operation, *meaning;
};

constexpr Known faults[] = {
    {"barrier divergence", "barrier", "barrier",
     "All threads of a block that still run must come to the same barrier."},
    {"a phase of a barrier does not end", "barrier", "arrivals",
     "A phase ends with its last arrival; who waits for it must do so before the next phase ends."},
    {"grid.sync() waits", "barrier", "barrier", "A barrier of the grid waits for every block of the launch."},
    {"grid.sync() in a kernel", "barrier", "barrier",
     "Only a cooperative launch makes sure that all blocks run at once."},
    {"a tensor-core operation reads lane", "shuffle", "shuffle",
     "A lane that does not take part has no value to give."},
    {"calls a warp function with a mask that leaves it out", "shuffle", "shuffle",
     "The mask must name every lane that makes the call."},
    {"meet in different warp functions", "shuffle", "shuffle",
     "The lanes of a mask must make the same call."},
    {"dereferences a null pointer", "null", "access", "The pointer was never set, or its allocation failed."},
    {"misaligned address", "misaligned", "access",
     "Vectors begin at multiples of their size, as every number does."},
    {"that was freed at", "use-after-free", "access", "Freed memory may be reused at once."},
    {"dereferences a device pointer", "host-access", "access",
     "Device memory is not the host's: copy it first."},
    {"is a pointer to host memory", "host-access", "access",
     "The kernel must get the device's copy of the data, not the data themselves."},
    {"stack overflow", "stack-overflow", "call",
     "Every thread of a GPU has a small stack, too: 1,024 bytes unless cudaDeviceSetLimit() gives it more."},
    {"the host accesses", "host-access", "access", "The address is none of the host's memory."},
    {"accesses", "out-of-bounds", "access", "The data there belong to something else, or to nobody."},
    {"bits is shifted by", "undefined", "shift",
     "The type of the shifted number says how many bits there are."},
    {"divides an integer by zero", "undefined", "division",
     "Integers have no infinity: this division has no result."},
    {"does not finish", "endless", "wait", "It waits for something that does not come."},
};

constexpr Known refused[] = {
    {"was freed already", "invalid-free", "free",
     "Only the first call frees it; the second may free memory that was allocated since."},
    {"did not come from cudaMalloc", "invalid-free", "free",
     "Free the pointer that the allocation gave, not one inside it."},
    {"is not that of an allocation", "invalid-free", "free",
     "Free the pointer that the allocation gave, once."},
    {"from there on", "out-of-bounds", "copy", "The copy would reach beyond the memory; nothing was copied."},
    {"was freed at", "use-after-free", "copy", "Freed memory may be reused at once."},
    {"lies in no device allocation", "out-of-bounds", "copy",
     "The pointer was computed wrongly; nothing was copied."},
    {"must be host memory", "host-access", "copy",
     "The kind of copy names the other direction; nothing was copied."},
    {"fails in a kernel", "fault", "assert",
     "What the program assumes does not hold; the kernel's results are worthless."},
    {"must be device memory", "host-access", "copy",
     "The kind of copy names the other direction; nothing was copied."},
};

template <std::size_t count>
const Known* find(const Known (&table)[count], std::string_view message) {
  for (const Known& known : table)
    if (message.find(known.text) != std::string_view::npos) return &known;
  return nullptr;
}

/// Addresses of the host differ from run to run, the observation must not.
std::string without_addresses(std::string text) {
  for (std::size_t at = 0; (at = text.find("0x", at)) != std::string::npos; at += 2) {
    std::size_t end = at + 2;
    while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end - at <= 10) continue;
    const bool aside = at >= 2 && text.compare(at - 2, 2, " (") == 0 && text.compare(end, 1, ")") == 0;
    if (aside)
      text.erase(at - 2, end + 1 - (at - 2));  // a remark of nothing else
    else
      text.replace(at, end - at, "an address");
  }
  return text;
}

std::string first_line(const std::string& message) {
  std::string line = without_addresses(message.substr(0, message.find('\n')));
  const std::size_t word = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (word != 0 && word != std::string::npos && line[word] == ' ')  // not the name of a function
    line[0] = static_cast<char>(line[0] - 'a' + 'A');
  return line;
}

/// The details of a message, without the location: "16 threads …; 16 threads …". Empty when it has none.
std::string details(const std::string& message) {
  std::string text;
  std::istringstream lines(message);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.starts_with("in kernel") || line.starts_with("kernel ")) continue;
    text += (text.empty() ? "" : "; ") + line;
  }
  return text.empty() ? text : text + ". ";
}

Finding finding_of(Site site, const std::string& message, const Known* known) {
  Finding finding;
  finding.kind = known ? known->kind : "fault";
  finding.operation = known ? known->operation : "";
  finding.meaning = details(message) + (known ? known->meaning : "");
  finding.severity = "error";
  finding.site = line_of(site);
  finding.message = first_line(message);
  return finding;
}

}  // namespace

Finding finding_of_fault(Site site, const std::string& message) {
  Finding finding = finding_of(site, message, find(faults, message.substr(0, message.find('\n'))));
  if (!in_kernel()) return finding;
  finding.kernel = current_runner->kernel()->name;
  finding.block = {blockIdx.x, blockIdx.y, blockIdx.z};
  finding.thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  if (finding.kind == "endless") {
    finding.message = "Thread ";
    finding.message += to_string(static_cast<uint3>(threadIdx)) + " of block ";
    finding.message += to_string(static_cast<uint3>(blockIdx)) + " is in a loop that does not end";
    if (const std::string condition = comparisons.text(finding.site); !condition.empty())
      finding.meaning = condition;
  }
  return finding;
}

Finding finding_of_dropped_launch(Site site, const std::string& message) {
  constexpr Known dropped{
      "", "launch", "launch",
      "A launch returns nothing: nobody has asked cudaGetLastError() whether it was accepted. What "
      "the kernel should have done is missing."};
  Finding finding = finding_of(site, message, &dropped);
  const std::string why = " cannot be launched: ";
  if (const auto at = finding.message.find(why); at != std::string::npos)
    finding.message.replace(at, why.size(), " never ran: ");
  return finding;
}

std::optional<Finding> finding_of_failed_call(Site site, const std::string& message) {
  const Known* known = find(refused, message);
  if (!known) return {};
  return finding_of(site, message, known);
}

}  // namespace ladder::executor
