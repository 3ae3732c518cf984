#pragma once
/// @file
/// The class key, and what is derived from it: keys of plans, pseudonyms.

#include <array>
#include <filesystem>
#include <string>

namespace ladder::grade {

/// A secret of 256 bits: of a class, or of one plan.
using Key = std::array<unsigned char, 32>;

/// Makes a class key: a new file of 64 hexadecimal digits that only its owner may read.
/// @throws Error when the file is there already (grades depend on the old key), or cannot be written
void write_new_key(const std::filesystem::path& file);

/// @throws Error when others may read the file, or it is no key; the text says what to do
Key read_key(const std::filesystem::path& file);

/// The key of a plan: the inputs of one attempt's cases come from it.
/// @param part  "visible" or "private:NAME"
Key plan_key(const Key& class_key, const std::string& pseudonym, int attempt, const std::string& part);

/// 64 hexadecimal digits.
std::string hex(const Key& key);

/// Eight hexadecimal digits that say which class key a grade belongs to, and nothing about it.
std::string key_id(const Key& class_key);

/// "S-" and eight letters or digits: the same for a name in all of a class, and not to be computed without
/// its key. Of 1,000
/// names two have the same in one class of two million: the caller checks.
std::string pseudonym_of(const Key& class_key, const std::string& name);

}  // namespace ladder::grade
