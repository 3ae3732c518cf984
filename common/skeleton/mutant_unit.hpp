#pragma once
/// @file
/// All mutants of a rung as one source, each in a namespace of its own: compiled and linked once, and one
/// program for each still.

#include <functional>
#include <string>
#include <vector>

namespace ladder::cut {

/// One mutant of a unit.
struct UnitPart {
  std::string name;  ///< "g2_shared_tiles~no-guard": what its worker is called, without the back end
  std::string path;  ///< as the compiler names the file
  std::string text;
  std::string hash;  ///< SHA-256 of the mutant's own source
};

/// The source of all mutants. What they include comes first, once; each mutant's text is in a namespace
/// that kernel_name.hpp leaves out of names, and its macros end with it.
/// @param space  the lesson's namespace
/// @param read   a header that cu2cpp has made, of which each mutant has a copy: equal ones become one
std::string unit_source(const std::vector<UnitPart>& parts, const std::string& space,
                        const std::function<std::string(const std::string& path)>& read);

/// The source that picks a mutant: by the name that the program was started under. It defines the rung's
/// function and the hash of its source. Linked behind the unit, so that nothing of a mutant begins after
/// it. LADDER_STARTS_ONLY in the environment: the program ends before main, and shows that it comes so far.
/// @param function  the rung's, "shared_tiles"
std::string unit_table(const std::vector<UnitPart>& parts, const std::string& space,
                       const std::string& function);

/// The source that says what a worker of one mutant was built of, and which function is called.
std::string hash_source(const std::string& hash, const std::string& space, const std::string& function);

}  // namespace ladder::cut
