#include "common/executor/observe/places.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "common/executor/observe/array_shapes.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/findings.hpp"
#include "common/executor/observe/lines.hpp"
#include "common/executor/observe/log.hpp"
#include "common/executor/observe/names.hpp"
#include "common/executor/observe/objects.hpp"
#include "common/executor/observe/race_finding.hpp"
#include "common/executor/runtime/fiber.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

unsigned present_thread(const Kernel& kernel) {
  return threadIdx.x + kernel.block.x * (threadIdx.y + kernel.block.y * threadIdx.z);
}

std::uint64_t present_block(const Kernel& kernel) {
  return blockIdx.x + std::uint64_t{kernel.grid.x} * (blockIdx.y + std::uint64_t{kernel.grid.y} * blockIdx.z);
}

/// Lines of findings live as long as the process: they are passed on as Site.
Site lasting(const SourceLine& line) {
  static std::set<std::string>* const files = new std::set<std::string>;
  return {files->insert(line.file).first->c_str(), line.line};
}

const char* verb(Operation operation) {
  return operation == Operation::load ? "reads" : operation == Operation::store ? "writes" : "updates";
}

/// A finding of the thread that runs now, without what it is.
Finding present_finding(Operation operation, const SourceLine& line) {
  const Kernel& kernel = *current_runner->kernel();
  Finding finding;
  finding.severity = "error";
  finding.kernel = kernel.name;
  finding.site = line;
  finding.block = block_index_of(kernel, present_block(kernel));
  finding.thread = thread_index_of(kernel, present_thread(kernel));
  finding.operation = operation_text(operation);
  return finding;
}

std::string present_who() {
  const Kernel& kernel = *current_runner->kernel();
  return thread_text(kernel, present_thread(kernel)) + " of " + block_text(kernel, present_block(kernel));
}

/// Records the finding and ends the process with its text.
[[noreturn]] void end_with(Finding finding) {
  const Kernel& kernel = *current_runner->kernel();
  const Site site = finding.site.line > 0 ? lasting(finding.site) : kernel.site;
  const std::string text = finding.message + "\n    " + finding.meaning + "\n    in kernel " + kernel.name +
                           " launched at " + to_string(kernel.site) + ", " + where_in_grid();
  FindingList::get().add(std::move(finding));
  FindingList::get().fault_added();
  fatal(site, text);
}

std::string upper_first(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string place_text(Site site) {
  const SourceLine line = line_of(site);
  return line.file + ":" + std::to_string(line.line);
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Behind the end of an object, before its begin, or over its end.
void describe_outside(Finding& finding, const TrackedObject& object, const char* address, std::size_t bytes) {
  finding.kind = "out-of-bounds";
  finding.address = address_text(object, address, bytes, finding.site);
  const std::ptrdiff_t before = object.begin - address, behind = address - object.end;
  finding.message = upper_first(present_who()) + " " + (finding.operation == "read" ? "reads " : "writes ") +
                    finding.address + ": ";
  if (before > 0)
    finding.message += counted(static_cast<std::size_t>(before), "byte") + " before the begin of ";
  else if (behind > 0)
    finding.message += counted(static_cast<std::size_t>(behind), "byte") + " behind the end of ";
  else if (behind == 0)
    finding.message += "just behind the end of ";
  else
    finding.message += "over the end of ";
  finding.message += "its " + counted(object.bytes(), "byte");
  if (object.made.line > 0) finding.message += ", allocated at " + place_text(object.made);
  finding.meaning =
      object.space == Space::shared
          ? "The launch gave the block no more dynamic shared memory than that."
          : "The data there belong to something else, or to nobody; a GPU may go on, or end the program.";
}

/// The allocation next to an address of the device that lies in none.
[[noreturn]] void report_device(Finding finding, const char* address, std::size_t bytes) {
  const auto nearest = DeviceMemory::get().find(address);
  if (nearest && !nearest->live && address >= nearest->pages &&
      address < nearest->pages + nearest->page_bytes) {
    if (auto beside = freed_beside(address)) end_with(std::move(*beside));
    TrackedObject object;
    object.begin = nearest->begin;
    object.end = nearest->begin + nearest->bytes;
    object.kind = ObjectKind::device;
    object.made = nearest->site;
    finding.kind = "use-after-free";
    finding.address = address_text(object, address, bytes, finding.site);
    finding.message = upper_first(present_who()) + " " +
                      (finding.operation == "read" ? "reads " : "writes ") + finding.address +
                      ", which was freed at " + place_text(nearest->freed) + " (allocated at " +
                      place_text(nearest->site) + ")";
    finding.meaning = "Freed memory may be given to somebody else at once.";
    end_with(std::move(finding));
  }
  TrackedObject* object = nearest ? Objects::get().find_allocation(nearest->begin) : nullptr;
  if (object) {
    describe_outside(finding, *object, address, bytes);
  } else {
    finding.kind = "out-of-bounds";
    finding.message =
        upper_first(present_who()) + " accesses an address that lies in no allocation of the device";
    finding.meaning = "The pointer was computed wrongly, or never set.";
  }
  end_with(std::move(finding));
}

/// Whether the process has memory there, of whatever kind.
bool is_mapped(const char* address) {
  const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  void* page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) & ~(page_bytes - 1));
  return mincore(page, 1, &resident) == 0;
}

/// An address that no object holds. Returns when the access is none of the program's.
void report_nowhere(const char* address, std::size_t bytes, Operation operation, const SourceLine& line) {
  const BlockRunner& runner = *current_runner;
  Finding finding = present_finding(operation, line);
  if (DeviceMemory::get().contains(address)) report_device(std::move(finding), address, bytes);
  const std::string who = upper_first(present_who()) + " " + verb(operation) + " ";
  if (runner.in_dynamic_guard(address)) {
    TrackedObject object;
    object.begin = address - runner.dynamic_offset(address);
    object.end = object.begin + runner.kernel()->shared_bytes;
    object.space = Space::shared;
    object.kind = ObjectKind::dynamic_shared;
    describe_outside(finding, object, address, bytes);
  } else if (reinterpret_cast<std::uintptr_t>(address) < 4096) {
    finding.kind = "null";
    finding.address = to_string(address);
    finding.message = upper_first(present_who()) + " dereferences a null pointer";
    finding.meaning = "The pointer was never set, or its allocation failed.";
  } else if (const TrackedObject* object = Objects::get().near_host(address)) {
    describe_outside(finding, *object, address, bytes);
  } else if (in_a_stack(address)) {
    finding.kind = "out-of-bounds";
    finding.message = who + "a local variable of another thread";
    finding.meaning =
        "Local variables belong to their thread; what others need goes through shared or global memory.";
  } else if (!is_mapped(address)) {
    finding.kind = "out-of-bounds";
    finding.message = who + "an address where no memory is";
    finding.meaning = "The pointer was never set, or its index is far outside of the array.";
  } else if (line.line == 0) {
    // Functions of the standard library, with which the runtime makes the message of another fault: the linker may
    // have taken the program's instrumented copy of them.
    return;
  } else {
    finding.kind = "host-access";
    finding.message = who + "memory of the host";
    finding.meaning = "A GPU does not reach it: pass device memory from cudaMalloc, also inside structures.";
  }
  end_with(std::move(finding));
}

[[noreturn]] void report_misaligned(const TrackedObject& object, const char* address, std::size_t bytes,
                                    Operation operation, const SourceLine& line) {
  Finding finding = present_finding(operation, line);
  finding.kind = "misaligned";
  finding.address = address_text(object, address, bytes, line);
  finding.message = upper_first(present_who()) + " " + verb(operation) + " " + counted(bytes, "byte") +
                    " at " + finding.address + ", which is no multiple of " + std::to_string(bytes);
  finding.meaning =
      "float4, double2 and other vectors begin at multiples of their size, as every number does.";
  end_with(std::move(finding));
}

}  // namespace

const Object* place_of(const void* where, std::size_t bytes, Operation operation, std::uint32_t code) {
  const auto* address = static_cast<const char*>(where);
  TrackedObject* object = Objects::get().find(address);
  if (!object) {
    report_nowhere(address, bytes, operation, line_of(code));
    return nullptr;
  }
  if (object->kind == ObjectKind::other) return object;
  if (address + bytes > object->end) {
    Finding finding = present_finding(operation, line_of(code));
    describe_outside(finding, *object, address, bytes);
    end_with(std::move(finding));
  }
  // 16 bytes may be a structure of two numbers that is aligned as one of them; of vectors the processor itself complains.
  const std::size_t alignment = std::min<std::size_t>(bytes, 8);
  const bool power_of_two = bytes > 0 && (bytes & (bytes - 1)) == 0;
  const bool aligned = !power_of_two || reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
  if (!aligned) report_misaligned(*object, address, bytes, operation, line_of(code));
  return object;
}

namespace {

/// What the compiler tells about an index that is too large.
struct IndexCheck {
  const char* file;
  std::uint32_t line, column;
  const struct Type {
    std::uint16_t kind, info;
    char name[1];  ///< "'double [32]'"
  } * array;
};

/// "double [32]" without quotes and what follows.
std::string type_text(const IndexCheck& check) {
  std::string text = check.array->name;
  std::erase(text, '\'');
  return text;
}

/// 32 of "double [32]"; 0 of other types.
std::size_t check_extent(const IndexCheck& check) {
  const std::string text = type_text(check);
  const auto open = text.find('[');
  if (open == std::string::npos || text.find('[', open + 1) != std::string::npos) return 0;
  return static_cast<std::size_t>(std::strtoul(text.c_str() + open + 1, nullptr, 10));
}

void report_index(const IndexCheck& check, std::ptrdiff_t index) {
  const SourceLine line{shown_path(check.file), static_cast<int>(check.line)};
  const std::string what =
      "index " + std::to_string(index) + " is outside of an array of type " + type_text(check);
  if (!in_kernel()) {
    Finding finding;
    finding.kind = "out-of-bounds";
    finding.severity = "error";
    finding.site = line;
    finding.message = "The host's " + what;
    finding.meaning = "The element there belongs to something else.";
    FindingList::get().add(std::move(finding));
    return;
  }
  Finding finding = present_finding(Operation::load, line);
  finding.operation = "index";
  finding.kind = "out-of-bounds";
  finding.message = upper_first(present_who()) + ": " + what;
  finding.meaning = "The element there belongs to something else.";
  if (!rows_reach(check_extent(check), index)) end_with(std::move(finding));
  finding.meaning = "The element there is one of another row of the same array.";
  FindingList::get().add(std::move(finding));  // a GPU goes on, and so does this program
}

}  // namespace

}  // namespace ladder::executor

extern "C" void __ubsan_handle_out_of_bounds(const void* check, std::uintptr_t index) {
  // The message is made with functions that the program may have instrumented, too.
  auto& in_hook = ladder::executor::recorder.in_hook;
  const bool before = in_hook;
  in_hook = true;
  ladder::executor::report_index(*static_cast<const ladder::executor::IndexCheck*>(check),
                                 static_cast<std::ptrdiff_t>(index));
  in_hook = before;
}
