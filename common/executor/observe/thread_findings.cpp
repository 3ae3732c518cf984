#include "common/executor/observe/thread_findings.hpp"

#include <set>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/races/race_finding.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/block/fiber.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

unsigned running_thread(const Kernel& kernel) {
  return threadIdx.x + kernel.block.x * (threadIdx.y + kernel.block.y * threadIdx.z);
}

std::uint64_t running_block(const Kernel& kernel) {
  return blockIdx.x + std::uint64_t{kernel.grid.x} * (blockIdx.y + std::uint64_t{kernel.grid.y} * blockIdx.z);
}

/// Lines of findings live to the end of the process: they are passed on as Site.
Site lasting(const SourceLine& line) {
  static std::set<std::string>* const files = new std::set<std::string>;
  return {files->insert(line.file).first->c_str(), line.line};
}

}  // namespace

Finding thread_finding(Operation operation, const SourceLine& line) {
  const Kernel& kernel = *current_runner->kernel();
  Finding finding;
  finding.severity = "error";
  finding.kernel = kernel.name;
  finding.site = line;
  finding.block = block_index_of(kernel, running_block(kernel));
  finding.thread = thread_index_of(kernel, running_thread(kernel));
  finding.operation = operation_text(operation);
  return finding;
}

std::string running_thread_text() {
  const Kernel& kernel = *current_runner->kernel();
  return thread_text(kernel, running_thread(kernel)) + " of " + block_text(kernel, running_block(kernel));
}

void end_with(Finding finding) {
  const Kernel& kernel = *current_runner->kernel();
  const Site site = finding.site.line > 0 ? lasting(finding.site) : kernel.site;
  const std::string text = finding.message + "\n    " + finding.meaning + "\n    in kernel " + kernel.name +
                           " launched at " + to_string(kernel.site) + ", " + where_in_grid();
  finding.fatal = true;
  FindingList::get().add(std::move(finding));
  FindingList::get().set_fatal();
  fatal(site, text);
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string upper_first(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace ladder::executor
