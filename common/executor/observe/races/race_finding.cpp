#include "common/executor/observe/races/race_finding.hpp"

#include <cstdio>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/thread_findings.hpp"

namespace ladder::executor {
namespace {

struct Words {
  const char *present, *still, *plural;
};

Words words_of(Operation operation) {
  switch (operation) {
    case Operation::load:
      return {"reads", "reading", "reads"};
    case Operation::store:
      return {"writes", "writing", "writes"};
    case Operation::copy:
      return {"begins to copy to", "copying to", "copies"};
    default:
      return {"updates", "updating", "updates"};
  }
}

std::string singular(Operation operation) {
  return operation == Operation::load ? "read" : operation == Operation::atomic ? "update" : "write";
}

/// Describes what two threads do, and which of them is in which pass of a loop.
class RaceText {
 public:
  RaceText(const Race& race, const Kernel& kernel)
      : race_(race), kernel_(kernel), later_(race.second), earlier_(race.first) {
    lines_known();
    find_passes();
  }

  Finding finding() {
    Finding result;
    result.kind = race_.same_value                       ? "same-value-race"
                  : race_.object->space == Space::shared ? "shared-race"
                                                         : "global-race";
    result.severity = race_.same_instruction ? "note" : race_.same_value ? "warning" : "error";
    result.kernel = kernel_.name;
    result.site = later_line_;
    result.block = block_index_of(kernel_, later_.access.block);
    result.thread = thread_index_of(kernel_, later_.thread());
    result.operation = operation_text(later_.access.operation);
    result.other = Finding::Other{earlier_line_, block_index_of(kernel_, earlier_.access.block),
                                  thread_index_of(kernel_, earlier_.thread()),
                                  operation_text(earlier_.access.operation)};
    result.address = address_text(*race_.object, race_.object->begin + race_.offset, race_.size, later_line_);
    result.message = message(result.address);
    result.meaning = meaning();
    return result;
  }

 private:
  bool one_block() const { return later_.access.block == earlier_.access.block; }

  void lines_known() {
    later_line_ = line_of(later_.access.code);
    earlier_line_ = line_of(earlier_.access.code);
  }

  static bool is_copy(const Party& party) { return party.access.operation == Operation::copy; }
  /// Whether one of them begins a copy.
  bool copy_begins() const { return is_copy(later_) && !race_.copy_in_flight(); }

  /// Both happened between the same two barriers. Code above the earlier barrier belongs to the next pass.
  /// Copies are often issued in a function above the loop: their line says nothing.
  void find_passes() {
    if (is_copy(later_)) return;
    if (is_copy(earlier_)) return race_.copy_in_flight() ? void() : swap_parties();
    if (!one_block() || later_line_.file != earlier_line_.file) return;
    const int barrier = race_.barrier.site.line;
    int later_seen = line_in_barriers_function(later_), earlier_seen = line_in_barriers_function(earlier_);
    const auto is_above = [&](int line, const Party& party) {
      return 0 < line && line < barrier && party.access.in_block > 1;
    };
    if (later_seen > barrier && is_above(earlier_seen, earlier_)) {
      swap_parties();
      std::swap(later_seen, earlier_seen);
    }
    if (earlier_seen > barrier && is_above(later_seen, later_)) {
      past_barrier_ = true;
      earlier_pass_ = race_.barrier.times;
      later_pass_ = earlier_pass_ + 1;
      return;
    }
    const std::uint32_t later = later_.access.in_interval, earlier = earlier_.access.in_interval;
    if (race_.one_loop && later != earlier && later <= 4 && earlier <= 4) {
      later_pass_ = later;
      earlier_pass_ = earlier;
      if (later < earlier) {
        swap_parties();
        std::swap(later_pass_, earlier_pass_);
      }
    } else if (later_line_.line < earlier_line_.line) {  // the loop that both are in, if any, is not known
      swap_parties();
    }
  }

  /// 0 where lines do not tell the order: a function above the loop may be called anywhere in it.
  int line_in_barriers_function(const Party& party) const {
    return race_.barrier.times > 0 ? line_in_function_of(line_of(race_.barrier.site), party.access.code) : 0;
  }

  void swap_parties() {
    std::swap(later_, earlier_);
    std::swap(later_line_, earlier_line_);
  }

  std::string place(const SourceLine& line) const {
    if (line.line == 0) return "";
    return line.file == later_line_.file ? " (line " + std::to_string(line.line) + ")"
                                         : " (" + line.file + ":" + std::to_string(line.line) + ")";
  }

  std::string who(const Party& party) const {
    std::string text = thread_text(kernel_, party.thread());
    return one_block() ? text : text + " of " + block_text(kernel_, party.access.block);
  }

  std::string message(const std::string& address) const {
    const Words later = words_of(later_.access.operation), earlier = words_of(earlier_.access.operation);
    if (race_.same_instruction)
      return upper_first(who(earlier_)) + " and " + who(later_) + " write " + address + place(later_line_) +
             " in one instruction of their warp";
    if (race_.copy_in_flight())
      return upper_first(who(later_)) + " reads " + address + place(later_line_) +
             (race_.one_thread() ? " before its own copy to it" + place(earlier_line_) + " has arrived"
                                 : " while the copy to it that " + who(earlier_) + " has begun" +
                                       place(earlier_line_) + " may still be in flight");
    if (race_.same_value)
      return upper_first(who(later_)) + " and " + who(earlier_) + " write the same value to " + address +
             both_lines() + ", in no order";
    if (later_pass_ > 0) {
      // An access that is several passes behind may not belong to the loop.
      const std::string pass =
          earlier_pass_ + 1 < later_pass_ ? "" : " for pass " + std::to_string(earlier_pass_);
      return "In pass " + std::to_string(later_pass_) + " " + who(later_) + " " + later.present + " " +
             address + place(later_line_) + " while " + who(earlier_) + " may still be " + earlier.still +
             " it" + pass + place(earlier_line_);
    }
    return upper_first(who(later_)) + " " + later.present + " " + address + place(later_line_) + " while " +
           who(earlier_) + " may still be " + earlier.still + " it" + place(earlier_line_);
  }

  std::string both_lines() const {
    if (later_line_.line == earlier_line_.line && later_line_.file == earlier_line_.file)
      return place(later_line_);
    return place(later_line_) + " and" + place(earlier_line_);
  }

  bool only_stores() const {
    return later_.access.operation == Operation::store && earlier_.access.operation == Operation::store &&
           later_line_.line == earlier_line_.line && later_line_.file == earlier_line_.file;
  }

  std::string meaning() const {
    const std::string later = singular(later_.access.operation),
                      earlier = singular(earlier_.access.operation);
    if (race_.same_instruction) return "Which of the values stays is not defined; one of them does.";
    if (race_.same_value)
      return "All of them write the same. If the element is for all of them, one writer is enough; if each "
             "should have an element of its own, they have computed the same index.";
    if (past_barrier_)
      return "The barrier on line " + std::to_string(race_.barrier.site.line) + " separates " + later +
             " from " + earlier + " inside one pass; nothing separates this pass's " +
             words_of(earlier_.access.operation).plural + " from the next pass's " +
             words_of(later_.access.operation).plural + ".";
    if (race_.copy_in_flight())
      return race_.one_thread() ? "A copy may write at any time until its thread has waited for it."
                                : "A thread waits for its own copies only: others may read what it has "
                                  "copied when it has waited and a barrier after that has been passed.";
    if (copy_begins() && !race_.one_warp())
      return "A copy may write as soon as it is issued, and not only when its thread waits for it: what "
             "others do with the old contents must be over by then. " +
             (race_.barrier.times > 0 ? "Both happen between the barrier on line " +
                                            std::to_string(race_.barrier.site.line) + " and the next one."
                                      : "There is no barrier between the two.");
    if (later_.access.atomic && earlier_.access.atomic)
      return "An atomic of narrow scope (atomicAdd_block(), thread_scope_block) is one step only inside that "
             "scope. Where threads of other blocks access the same data, all of them need the device's: "
             "atomicAdd(), thread_scope_device.";
    if (race_.disorder.why != Unordered::unsynchronised) return synchronisation();
    if (later_.access.atomic || earlier_.access.atomic)
      return "An atomic is one step only for other atomics: a plain " +
             (later_.access.atomic ? earlier : later) + " of the same data is not ordered with it.";
    if (!one_block())
      return "Blocks run at the same time and in any order: what one does to the data of another needs "
             "atomics, or belongs in the next kernel.";
    if (only_stores() && later_pass_ == 0)
      return "Both write, unordered: which of the values stays is chance, and may change with the next run.";
    if (later_line_.line == earlier_line_.line && later_line_.file == earlier_line_.file && later_pass_ == 0)
      return "Reading, changing and writing back are several steps: what another thread writes in between is "
             "lost. Should each thread have an element of its own, two of them have computed the same index.";
    if (race_.one_warp()) return std::string(warp_barrier_is_enough);
    if (later_pass_ > 0)
      return "No barrier separates the passes of this loop: one warp may be a pass ahead of another.";
    return "There is no barrier between the two: which comes first is chance. They are of different warps: a "
           "__syncwarp() is not enough, use a __syncthreads().";
  }

  /// Why the atomics or flags by which the threads synchronise do not order the two accesses.
  std::string synchronisation() const {
    const SourceLine line = line_of(race_.disorder.code);
    const std::string there = "on line " + std::to_string(line.line);
    const std::string fence = one_block() ? "__threadfence_block()" : "__threadfence()";
    switch (race_.disorder.why) {
      case Unordered::atomic_of_block:
        return "The two threads synchronise by the atomic " + there +
               ", whose scope is one block: it orders nothing for another block. Between blocks use the "
               "device's scope (atomicExch(), thread_scope_device).";
      case Unordered::fence_of_block:
        return "The fence before the atomic or flag " + there +
               " reaches only its own block: another block may see the flag before the data. Between blocks "
               "use __threadfence().";
      case Unordered::fence_too_early:
        return "There is no fence between this access and the atomic or flag " + there +
               " that announces it: other threads may see the flag before the data. Put " + fence +
               " between the two.";
      case Unordered::no_fence_after_lock:
        return "The lock is taken " + there +
               ", and no fence that reaches the other thread is between that and the access: the access may "
               "happen before the lock is held. Put " +
               fence + " after the atomic that takes the lock.";
      case Unordered::no_fence_before_unlock:
        return "The lock is released " + there +
               ", and no fence that reaches the other thread is between the access and that: the next holder "
               "may not see it yet. Put " +
               fence + " before the atomic that releases the lock.";
      default:
        return "";
    }
  }

  const Race& race_;
  const Kernel& kernel_;
  Party later_, earlier_;
  SourceLine later_line_, earlier_line_;
  bool past_barrier_ = false;
  unsigned later_pass_ = 0, earlier_pass_ = 0;
};

}  // namespace

std::string operation_text(Operation operation) {
  return operation == Operation::load ? "read" : operation == Operation::atomic ? "atomic" : "write";
}

Finding finding_of(const Race& race, const Kernel& kernel) {
  return RaceText(race, kernel).finding();
}

Finding finding_of(const UninitialisedRead& read, const Kernel& kernel) {
  Finding result;
  result.kind = "uninitialised";
  result.severity = "error";
  result.kernel = kernel.name;
  result.site = line_of(read.reader.access.code);
  result.block = block_index_of(kernel, read.reader.access.block);
  result.thread = thread_index_of(kernel, read.reader.thread());
  result.operation = operation_text(read.reader.access.operation);
  result.address = address_text(*read.object, read.object->begin + read.offset, read.size, result.site);
  const bool shared = read.object->space == Space::shared;
  result.message = upper_first(thread_text(kernel, read.reader.thread())) + " " +
                   words_of(read.reader.access.operation).present + " " + result.address +
                   (shared ? ", which no thread of its block has written" : ", which nobody has written");
  result.meaning = shared
                       ? "Shared memory is uninitialised: it may contain the values of an earlier block."
                       : "Memory from cudaMalloc is uninitialised: write it first, by a kernel, a copy or a "
                         "fill (cudaMemset counts bytes).";
  return result;
}

Finding finding_of(const UndefinedShuffle& shuffle, const Kernel& kernel, Use use) {
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%08x", shuffle.mask);
  Finding result;
  result.kind = "shuffle";
  result.severity = use == Use::used ? "error" : "warning";
  result.kernel = kernel.name;
  result.site = line_of(shuffle.site);
  result.block = block_index_of(kernel, shuffle.block);
  result.thread = thread_index_of(kernel, shuffle.thread);
  result.operation = "shuffle";
  result.message = "A shuffle reads lane " + std::to_string(shuffle.lane) +
                   (shuffle.mask >> shuffle.lane & 1 ? ", which has left the kernel or does not exist"
                                                     : std::string(", which is not in the mask ") + mask);
  result.meaning =
      "A lane that does not take part has no value to give: what the shuffle returns is undefined.";
  if (use == Use::unused) make_note(result);
  return result;
}

void make_note(Finding& finding) {
  finding.severity = "note";
  finding.message += "; with other values there the block writes the same results";
  finding.meaning = "The value is read and not used.";
}

}  // namespace ladder::executor
