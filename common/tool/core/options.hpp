#pragma once
/// @file
/// What was asked for on the command line.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "common/base/test_kind.hpp"

namespace ladder {

/// What was asked of ./ladder grade.
struct GradeOptions {
  std::string out;                 ///< folder of the grades
  std::vector<std::string> rungs;  ///< what is graded: "03/g1", "03/g1-g3", "03"
  std::string sandbox;             ///< bwrap, uid, none; empty: the best that works here
  bool trust = false;              ///< go on without a sandbox
  std::string key;                 ///< file of the class key; empty: out/class.key, made when it is not there
  std::string groups;              ///< file: a submission, and the ids of those whose work it is
  std::string roster;              ///< file: the people of the class; the folder is a platform's download
  std::string received;            ///< file: times of the server, for what has none of its own
  /// Export: canvas, moodle, gradescope or classroom50; empty: our own table.
  std::string as;
  std::string column;         ///< export for Canvas: "Homework 2 (12345)"
  std::string worksheet;      ///< export for Moodle: the grading worksheet to fill in
  bool semicolon = false;     ///< export: ';' instead of ','
  std::string only;           ///< this submission only
  std::string shard;          ///< "2/4": the second of four parts; empty: all
  int jobs = 0;               ///< submissions at once; 0: one per two cores
  bool resume = false;        ///< keep what is graded already
  bool private_too = false;   ///< private tests at once, not in the final phase
  bool private_only = false;  ///< of these the private tests alone: the reference must be known
  bool passing = false;       ///< judged again into a folder that does not stay: nobody is sent there
  std::string private_tests;  ///< folder with private tests; empty: none
  std::string opens;          ///< when the private part opens, as students read it: "after 2027-02-14 23:59"
  std::string phase = "instant";    ///< or final
  std::string into;                 ///< final: the folder of the grades
  std::string bounds;               ///< file that calibrate wrote; empty: the bounds of the rows
  int runs = 20;                    ///< calibrate: of each program
  double full_share = 0.8;          ///< calibrate: full points, of the lower end of the reference's interval
  bool names = false;               ///< export: who is behind each pseudonym
  bool profiles = false;            ///< profile the steps, judge nothing
  std::vector<TestKind> kinds{};    ///< open: what of the step is judged; empty: all
  int only_case = -1;               ///< open: the case of its correctness that failed; -1: all
  bool held = false;                ///< somebody looks into a worker: a call may take as long as that
  std::string reference;            ///< record of the reference, judged before; empty: it is judged first
  std::string course;               ///< the course file; empty: none
  std::string assignment;           ///< of the course file
  std::string record = "executor";  ///< the device whose verdicts count, where no --device says so
  std::string timezone;             ///< of the course; empty: this machine's
  /// Headers that are taken next to a step even where none of its includes names them.
  std::vector<std::string> headers;
  std::vector<std::string> allowed;  ///< symbols that need no person to look at
  int attempt = 1;                   ///< of the submissions: part of what their inputs are made from
};

/// What was asked of ./ladder review.
struct ReviewOptions {
  std::string by;        ///< the person who decides
  std::string decision;  ///< accept, deduct, reject; empty: asks for each item
  double points = 0;     ///< deducted
  std::string reason;
  bool alike = false;                                  ///< the decision is for all with the same evidence
  bool ask = false;                                    ///< also where standard input is no terminal
  int lines = 20;                                      ///< amend: most changed lines
  bool diff = false, profile = false, gdb = false;     ///< open: what is shown of the step
  bool whole = false;                                  ///< open: all of the step, not only what failed
  bool all = false, apply = false, may_lower = false;  ///< regrade; course purge
  std::string assistant;   ///< whose share of the questions that people grade; empty: not about these
  int of = 1, number = 0;  ///< how many assistants there are, and which of them it is; 0: not said
  bool settle = false;     ///< the questions in which assistants differ
  bool now = false;        ///< course purge: also before its date
};

/// What was asked of ./ladder image.
struct ImageOptions {
  std::string out;     ///< folder, .tar or .zip
  std::string base;    ///< a root that is there; empty: made by debootstrap
  std::string mirror;  ///< of packages; empty: the distribution's own
  bool gradescope = false;
  int per_day = 0;     ///< gradescope: submissions of a student in 24 hours; 0: all
  bool prune = false;  ///< prebuild: keep only what is used later
};

/// What was asked of ./ladder handout, solutions and update.
struct HandoutOptions {
  std::vector<std::string> released;  ///< rungs whose solutions are in it
  bool undo = false;                  ///< update: back to the handout before
};

/// What was asked of ./ladder exam.
struct ExamOptions {
  std::string students;  ///< roster.csv
  std::string format;    ///< moodle-xml: its questions too
  std::string check;     ///< a folder with an exam: every answer is computed again
};

/// What was asked of ./ladder docs.
struct DocsOptions {
  std::string out;     ///< folder; empty: in the build folder
  bool serve = false;  ///< show it to this machine's browser
  int port = 8000;
};

/// What was asked of ./ladder validate.
struct ValidateOptions {
  std::string suite;   ///< the folder of programs with known labels
  std::string labels;  ///< the file that has the labels, or the name of a known suite; empty: the suite's own
  int sample = 0;      ///< programs, always the same ones; 0: all
  bool resume = false;  ///< keep the results that --json FILE has
};

/// The command line, read and checked.
struct Options {
  std::string verb;                ///< empty: where am I, what next
  std::string part;                ///< of the verb: key of grade key; empty: the verb itself
  std::vector<std::string> names;  ///< lessons and steps as typed
  std::string json;                ///< file, "-" for standard output, empty for none
  std::string device;              ///< empty: the best there is
  std::string tree;                ///< lessons or solutions
  std::optional<std::uint64_t> seed;
  std::string key{};       ///< --seed with 64 hexadecimal digits: as grade prints it
  int size = 0;            ///< 0: the lesson's own sizes
  std::string class_name;  ///< a size by its name in the lesson; empty: none
  std::string matrix;      ///< the file that the problem is read from, absolute; empty: none
  bool npb = false;        ///< run: NPB's standard result block of each step
  bool poll = false;       ///< watch: look for saves, wait for no events
  bool strict = false;     ///< only PASS passes: not SKIPPED, not INCONCLUSIVE, not with a number unmeasured
  std::string report;      ///< folder for table, figures and JSON; empty for none
  std::optional<double> budget;    ///< run: seconds for timing all steps; reproduce: for a cell
  int max_size = 0;                ///< reproduce: largest size; 0: the source's
  std::string only;                ///< reproduce: tables with this in their titles; "": all
  std::vector<std::string> parts;  ///< test: parts to run; empty for all
  bool changed = false;            ///< test: only what has changed since it passed
  bool renew = false;              ///< test: write the approved outputs
  bool times = false;              ///< test: say where the time went
  bool measure = true;             ///< doctor: measure the ceilings
  bool staff_report = false;       ///< doctor: one text for the staff
  std::string from = "mine";       ///< start: mine or reference
  bool yes = false;                ///< start, reset, submit: asks nothing
  bool undo = false;               ///< reset: what was there before comes back
  bool every = false;              ///< list: the steps of all lessons
  std::vector<std::string> include_dirs, defines;  ///< programs: -I, -D
  std::string standard = "c++17";                  ///< programs: --std
  std::string output;                              ///< programs: -o, where the program is kept
  std::vector<std::string> arguments;              ///< programs: what stands after --
  bool plain = false;                              ///< programs: run it, observe nothing
  std::string html, trace;                         ///< profile: files to write
  std::string as;  ///< profile: the device that it is seen as, empty: the present one; results: the machine
  bool hardware = false;  ///< profile: ask ncu too
  std::string under{};    ///< profile: a program to run the step under, with its arguments
  GradeOptions grade{};
  ReviewOptions review{};
  ImageOptions image{};
  std::string course_zip;  ///< course check: an autograder for Gradescope, tried too
  HandoutOptions handout{};
  bool anyway = false;  ///< submit: also what does not build
  ExamOptions exam{};
  DocsOptions docs{};
  int similar_steps = 3;             ///< similarity: of a pair that is reported
  std::vector<std::string> against;  ///< similarity: folders with work of others
  bool elsewhere = false;            ///< --remote or --fetch: ./ladder sees to them
  double seconds = 120;              ///< programs: limit of a run
  bool seconds_given = false;
  ValidateOptions validate{};
  double memory_gib = 8;             ///< programs: limit of a run
  std::vector<std::string> typed{};  ///< the verb's options that are on the command line: "--seed", "-D"
};

/// Options that this call would ignore. @throws UsageError  for the first one that was typed: "--seed WHY"
void refuse_typed(const Options& options, std::initializer_list<const char*> ignored, const std::string& why);

/// The parts of the verb test, as --part names them.
const std::vector<std::string>& test_parts();

}  // namespace ladder
