#include "common/executor/observe/addresses/address_lookup.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/text/kernel_name.hpp"
#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/addresses/objects.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/findings.hpp"
#include "common/executor/observe/log.hpp"
#include "common/executor/observe/races/race_finding.hpp"
#include "common/executor/observe/thread_findings.hpp"
#include "common/executor/runtime/block/fiber.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

const char* verb(Operation operation) {
  return operation == Operation::load ? "reads" : operation == Operation::atomic ? "updates" : "writes";
}

std::string place_text(Site site) {
  const SourceLine line = line_of(site);
  return line.file + ":" + std::to_string(line.line);
}

/// Past the end of an object, before its start, or across its end.
void describe_outside(Finding& finding, const TrackedObject& object, const char* address, std::size_t bytes) {
  finding.kind = "out-of-bounds";
  finding.address = address_text(object, address, bytes, finding.site);
  const std::ptrdiff_t before = object.begin - address, behind = address - object.end;
  finding.message = upper_first(running_thread_text()) + " " +
                    (finding.operation == "read" ? "reads " : "writes ") + finding.address + ": ";
  if (before > 0)
    finding.message += counted(static_cast<std::size_t>(before), "byte") + " before the start of ";
  else if (behind > 0)
    finding.message += counted(static_cast<std::size_t>(behind), "byte") + " past the end of ";
  else if (behind == 0)
    finding.message += "just past the end of ";
  else
    finding.message += "across the end of ";
  finding.message += "its " + counted(object.bytes(), "byte");
  if (object.made.line > 0) finding.message += ", allocated at " + place_text(object.made);
  finding.meaning =
      object.kind == ObjectKind::dynamic_shared
          ? "The launch gave the block no more dynamic shared memory than that."
          : "The data there belong to something else, or to nobody; a GPU may go on, or end the program.";
}

/// Among static shared variables, where the kernel has none.
[[noreturn]] void report_outside_shared(Finding finding, const OutsideShared& where, const char* address,
                                        std::size_t bytes) {
  if (where.nearest) {
    describe_outside(finding, *where.nearest, address, bytes);
  } else {
    finding.kind = "out-of-bounds";
    finding.message =
        upper_first(running_thread_text()) + " accesses shared memory, and this kernel has none there";
  }
  finding.meaning =
      "This kernel has no shared memory there: a GPU ends the program, or returns undefined values.";
  if (where.there)
    finding.meaning += " (In this program " + variable_name(where.there->symbol) + " of kernel " +
                       ladder::kernel_name("_Z" + *where.there->kernel) + " lies there.)";
  end_with(std::move(finding));
}

/// The allocation next to an address of the device that lies in none.
[[noreturn]] void report_device(Finding finding, const char* address, std::size_t bytes) {
  const auto nearest = DeviceMemory::get().find(address);
  if (nearest && !nearest->live && address >= nearest->pages &&
      address < nearest->pages + nearest->page_bytes) {
    if (auto freed = freed_concurrently(address)) end_with(std::move(*freed));
    TrackedObject object;
    object.begin = nearest->begin;
    object.end = nearest->begin + nearest->bytes;
    object.kind = ObjectKind::device;
    object.made = nearest->site;
    finding.kind = "use-after-free";
    finding.address = address_text(object, address, bytes, finding.site);
    finding.message = upper_first(running_thread_text()) + " " +
                      (finding.operation == "read" ? "reads " : "writes ") + finding.address +
                      ", which was freed at " + place_text(nearest->freed);
    if (nearest->site.line > 0) finding.message += " (allocated at " + place_text(nearest->site) + ")";
    finding.meaning = "Freed memory may be reused at once.";
    end_with(std::move(finding));
  }
  TrackedObject* object = nearest ? Objects::get().find_allocation(nearest->begin) : nullptr;
  if (object) {
    describe_outside(finding, *object, address, bytes);
  } else {
    finding.kind = "out-of-bounds";
    finding.message =
        upper_first(running_thread_text()) + " accesses an address that lies in no allocation of the device";
    finding.meaning = "The pointer was computed wrongly, or never set.";
  }
  end_with(std::move(finding));
}

/// Here a __constant__ variable is memory like all other.
void check_constant(const char* address, std::size_t bytes, Operation operation, std::uint32_t code) {
  const DataVariable* variable = constant_variable_at(address);
  if (!variable) return;
  TrackedObject object;
  object.begin = reinterpret_cast<const char*>(program_base() + variable->begin);
  object.end = object.begin + variable->bytes;
  object.kind = ObjectKind::variable;
  object.key = variable->begin;
  object.symbol = variable->symbol;
  Finding finding = thread_finding(operation, line_of(code));
  finding.kind = "read-only";
  finding.address = address_text(object, address, bytes, finding.site);
  finding.message = upper_first(running_thread_text()) + " " + verb(operation) + " " + finding.address +
                    ", which is __constant__: kernels can only read it";
  finding.meaning =
      "The GPU's constant cache has no way to write: the write faults or is lost. Let the host set it with "
      "cudaMemcpyToSymbol(), or make the variable __device__.";
  FindingList::get().add(std::move(finding));
}

/// Whether the process has memory there, of whatever kind.
bool is_mapped(const char* address) {
  const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  void* page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) & ~(page_bytes - 1));
  return mincore(page, 1, &resident) == 0;
}

/// An address in no object. Returns when the access is not one of the program's.
void report_nowhere(const char* address, std::size_t bytes, Operation operation, const SourceLine& line) {
  const BlockRunner& runner = *current_runner;
  Finding finding = thread_finding(operation, line);
  if (DeviceMemory::get().contains(address)) report_device(std::move(finding), address, bytes);
  if (const auto outside = Objects::get().outside_shared(address))
    report_outside_shared(std::move(finding), *outside, address, bytes);
  const std::string who = upper_first(running_thread_text()) + " " + verb(operation) + " ";
  if (const auto freed = DeviceMemory::get().find_freed_host(address)) {
    finding.kind = "use-after-free";
    finding.message = who + freed->name() + " that was freed at " + place_text(freed->freed);
    finding.meaning = "Freed memory may be reused at once.";
    end_with(std::move(finding));
  }
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
    finding.message = upper_first(running_thread_text()) + " dereferences a null pointer";
    finding.meaning = "The pointer was never set, or its allocation failed.";
  } else if (const TrackedObject* object = Objects::get().near_host(address)) {
    describe_outside(finding, *object, address, bytes);
  } else if (in_a_stack(address)) {
    finding.kind = "out-of-bounds";
    finding.message = who + "a local variable of another thread";
    finding.meaning =
        "Local variables belong to their thread; data for other threads go through shared or global memory.";
  } else if (!is_mapped(address)) {
    finding.kind = "out-of-bounds";
    finding.message = who + "an address without memory";
    finding.meaning = "The pointer was never set, or its index is far outside of the array.";
  } else if (line.line == 0) {
    // A function of the standard library, called by the runtime for the message of another fault: the linker
    // may have chosen the program's instrumented copy of it.
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
  Finding finding = thread_finding(operation, line);
  finding.kind = "misaligned";
  finding.address = address_text(object, address, bytes, line);
  finding.message = upper_first(running_thread_text()) + " " + verb(operation) + " " +
                    counted(bytes, "byte") + " at " + finding.address +
                    ", a misaligned address: it is not a multiple of " + std::to_string(bytes);
  finding.meaning =
      "float4, double2 and other vectors begin at multiples of their size, as every number does.";
  end_with(std::move(finding));
}

}  // namespace

const Object* object_at(const void* where, std::size_t bytes, Operation operation, std::uint32_t code) {
  const auto* address = static_cast<const char*>(where);
  TrackedObject* object = Objects::get().find(address);
  if (!object) {
    report_nowhere(address, bytes, operation, line_of(code));
    return nullptr;
  }
  if (object->kind == ObjectKind::other) {
    if (operation != Operation::load) check_constant(address, bytes, operation, code);
    return object;
  }
  if (address + bytes > object->end) {
    Finding finding = thread_finding(operation, line_of(code));
    describe_outside(finding, *object, address, bytes);
    end_with(std::move(finding));
  }
  // 16 bytes may be a structure of two numbers that is aligned as one of them; the compiler knows
  // (runtime/alignment.cpp).
  const std::size_t alignment = std::min<std::size_t>(bytes, 8);
  const bool power_of_two = bytes > 0 && (bytes & (bytes - 1)) == 0;
  const bool aligned = !power_of_two || reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
  if (!aligned) report_misaligned(*object, address, bytes, operation, line_of(code));
  return object;
}

void misaligned_access(const void* where, std::size_t bytes, Operation operation, std::uint32_t code) {
  recorder.in_hook = true;  // the message is made with functions that the program may have instrumented, too
  const auto* address = static_cast<const char*>(where);
  const TrackedObject* object = Objects::get().find(address);
  if (object && object->kind != ObjectKind::other)
    report_misaligned(*object, address, bytes, operation, line_of(code));
}

}  // namespace ladder::executor
