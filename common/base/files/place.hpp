#pragma once
/// @file
/// A place in a text file.

namespace ladder {

/// Where an entry is in the file, counted from 1; 0: nowhere.
struct Place {
  int line = 0, column = 0;
};

}  // namespace ladder
