#pragma once
/// @file
/// Drawings of a rung's idea. Every count in them is computed from what each lane accesses; none is measured.

#include <string>
#include <vector>

#include "common/report/figures/figures.hpp"

namespace ladder::report {

/// Which bytes of one address ruler a warp touches: the same ruler, of 32 sectors, in every panel.
struct SectorDrawing {
  struct Panel {
    std::string label;
    std::vector<int> at;  ///< of each lane: the first byte, from the start of the ruler; below 1024
  };
  Caption caption;
  int bytes = 4;  ///< that a lane accesses
  std::vector<Panel> panels;
  std::string words{};  ///< what the ruler is
  bool counts = true;   ///< says how many sectors; false where the page asks for that number
};

/// How many sectors of 32 bytes the lanes touch.
int sectors_touched(const std::vector<int>& at, int bytes);
std::string drawn(const SectorDrawing& drawing);

/// Lanes from top to bottom, the 32 banks of shared memory from left to right, panels side by side.
struct BankDrawing {
  struct Panel {
    std::string label;
    std::vector<int> word;  ///< of each lane: the first 4-byte word that it reads
  };
  Caption caption;
  int words = 1;  ///< that a lane reads: 2 for a double
  std::vector<Panel> panels;
  std::string note{};
};

/// The most different words that the lanes want from one bank: that many passes one request takes.
int most_of_a_bank(const std::vector<int>& word, int words);
std::string drawn(const BankDrawing& drawing);

/// Matrices side by side, each a grid of cells: what is read, written or worked on.
struct MatrixDrawing {
  struct Panel {
    std::string label;
    /// Rows of cells: '#' dark, '+' light, 'o' orange, '/' hatched, '.' empty, ' ' no cell.
    std::vector<std::string> rows;
  };
  Caption caption;
  std::vector<Panel> panels;
  std::string words{};
};
std::string drawn(const MatrixDrawing& drawing);

/// Rows of streams or engines, bars over time; times are those of the drawing, in equal units.
struct TimelineDrawing {
  struct Bar {
    int row;
    double from, to;
    int kind;  ///< 0 kernel, 1 copy to the device, 2 copy from it, 3 waiting (hatched)
  };
  struct Panel {
    std::string label;
    std::vector<std::string> rows;
    std::vector<Bar> bars;
    std::vector<double> barriers{};  ///< lines across all rows
  };
  Caption caption;
  std::vector<Panel> panels;
  std::string words{};
};
std::string drawn(const TimelineDrawing& drawing);

/// Lanes from left to right, rounds from top to bottom; an edge is a value that a lane reads.
struct TreeDrawing {
  struct Edge {
    int from, to;
  };
  /// How the values of a round travel: from register to register, through shared memory (dashed edges, green
  /// nodes), or into the result that all blocks share (orange nodes).
  enum class Way { registers, shared, result };
  struct Round {
    std::string label;
    std::vector<Edge> edges;
    Way way = Way::registers;
  };
  /// Lanes that belong together: framed in rounds whose values stay in registers.
  struct Groups {
    int lanes = 0;       ///< of a group; 0: there are none
    std::string name{};  ///< "warp": above each group, with its number
  };
  Caption caption;
  int lanes = 16;
  std::vector<Round> rounds;
  std::string words{};
  bool keeps = true;  ///< a lane adds what it reads to its own value; else the edges are all that it reads
  Groups groups{};
  std::vector<int> numbers{};  ///< above the lanes; empty: 0, 1, 2 …, some of them
};
std::string drawn(const TreeDrawing& drawing);

}  // namespace ladder::report
