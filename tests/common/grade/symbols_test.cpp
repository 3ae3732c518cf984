/// @file
/// Names that a step's object uses: harmless ones, and what is said of the others.
// Guards: docs/grading.md#attacks

#include "common/grade/evidence/symbols.hpp"

#include <sstream>

#include "common/grade/evidence/known_names.hpp"
#include "tests/common/catch.hpp"

namespace ladder::grade {
namespace {

/// "name: why" of each, a line each.
std::string said(const std::vector<Suspicion>& found) {
  std::string all;
  for (const Suspicion& one : found) all += one.symbol + ": " + one.why + "\n";
  return all;
}

Symbols using_names(const std::string& names) {
  std::istringstream words(names);
  std::string printed;
  for (std::string name; words >> name;) printed += name + " U\n";
  return symbols_from(printed);
}

const char* const harmless =
    "sin sinf sinl __sincos __exp_finite lgammaf_r fma fmaf _ZGVbN2v_sin __fpclassify memcpy __memcpy_chk "
    "strlen __strdup strtod __isoc23_strtol __isoc99_sscanf __ctype_b_loc printf __printf_chk "
    "__fprintf_chk puts putchar fwrite fflush stdout stderr snprintf malloc free aligned_alloc "
    "posix_memalign qsort rand drand48 clock_gettime nanosleep localtime pthread_create "
    "pthread_barrier_wait sched_yield sysconf __assert_fail abort __errno_location _Znwm _ZdlPvm "
    "_ZnamSt11align_val_t _ZSt4cout _ZNSolsEd _ZNSo3putEc _ZNSt6thread4joinEv _ZNSt8ios_base4InitC1Ev "
    "_ZNSt6chrono3_V212steady_clock3nowEv _ZSt20__throw_length_errorPKc _ZTISt12system_error _ZTIi "
    "_ZTVN10__cxxabiv117__class_type_infoE __cxa_atexit __cxa_guard_acquire __gxx_personality_v0 "
    "_Unwind_Resume _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __tls_get_addr __popcountdi2 __muldc3 "
    "__aarch64_ldadd4_relax __tsan_read8 __asan_report_load8 __ubsan_handle_out_of_bounds "
    "__ubsan_vptr_type_cache __sanitizer_cov_trace_pc GOMP_parallel omp_get_thread_num MPI_Bcast "
    "ompi_mpi_double clSetKernelArg "
    "cudaMalloc __cudaRegisterFatBinary cublasCreate_v2 cublasSetStream_v2 nvtxRangePushA";

const std::pair<const char*, const char*> aliases[] = {
    {"__fork", "starts other programs"},
    {"__vfork", "starts other programs"},
    {"__libc_system", "starts other programs"},
    {"__libc_fork", "starts other programs"},
    {"wordexp", "starts other programs"},
    {"forkpty", "starts other programs"},
    {"execveat", "starts other programs"},
    {"__open64", "opens files"},
    {"__open64_2", "opens files"},
    {"__libc_open64", "opens files"},
    {"__open_nocancel", "opens files"},
    {"_IO_fopen", "opens files"},
    {"setmntent", "opens files"},
    {"fopencookie", "opens files"},
    {"__xstat64", "opens files"},
    {"_ZNSt13basic_filebufIcSt11char_traitsIcEEC1Ev", "opens files"},
    {"_ZNSt10filesystem7__cxx1118create_directoriesERKNS0_4pathE", "opens files"},
    {"MPI_File_open", "opens files"},
    {"__read", "open descriptors"},
    {"__write_nocancel", "open descriptors"},
    {"__send", "open descriptors"},
    {"sendmmsg", "open descriptors"},
    {"copy_file_range", "open descriptors"},
    {"pthread_kill", "other processes"},
    {"raise", "other processes"},
    {"process_vm_readv", "other processes"},
    {"bsd_signal", "handles signals"},
    {"__sigaction", "handles signals"},
    {"_environ", "its surroundings"},
    {"__environ", "its surroundings"},
    {"getauxval", "its surroundings"},
    {"__mmap64", "the rights of memory"},
    {"_exit", "ends the process"},
    {"_Exit", "ends the process"},
    {"__libc_dlopen_mode", "loads code"},
    {"_ZSt3cin", "standard input"},
    {"siglongjmp", "leaves its call by a jump"},
    {"cublasDgemm_v2", "does the work"},
    {"LAPACKE_dgetrf", "does the work"},
    {"section_.mine", "section of its own"},
    {"frobnicate", "any list of harmless ones"}};

}  // namespace

TEST_CASE("Symbols of a rung: what it defines itself and what it calls", "[grade]") {
  const auto symbols = symbols_from(
      "_ZN5dgemm12shared_tilesERKNS_7ProblemE T 0 10\nclock_gettime T 10 4\n_ZN6ladder4taskEv U\ncudaMalloc "
      "U\n"
      "cblas_dgemm U\ndlsym@GLIBC_2.34 U\n_ZSt3maxIiERKT_S2_S2_ W 0 8\nindex B 0 8\nwrite W 0 8\nladder_hook "
      "T 0 8\n");
  const Surroundings around{.harness = {"ladder_worker"},
                            .library = {"clock_gettime", "write", "index"},
                            .device_words = {"ladder", "task"}};
  const auto found = suspicions(symbols, around, {});
  CHECK(said(found) ==
        "clock_gettime: defines a function of a library itself\n"
        "ladder_hook: defines a name of the harness itself\n"
        "write: defines a function of a library itself\n"
        "cblas_dgemm: calls a library that does the work of this rung\n"
        "dlsym: loads code while it runs\n");
  CHECK(found.back().honest == "a helper for debugging or profiling was left in");
  CHECK(suspicions(symbols, {.device_words = {"ladder", "task"}}, {"cblas_dgemm", "dlsym"}).size() ==
        1);  // the hook
}

TEST_CASE("What honest rungs use is harmless in any of its spellings", "[grade]") {
  std::istringstream names(harmless);
  for (std::string name; names >> name;) {
    INFO(name);
    CHECK(is_harmless(name));
  }
}

TEST_CASE("An alias of a function says what the function says", "[grade]") {
  for (const auto& [name, why] : aliases) {
    INFO(name);
    CHECK_FALSE(is_harmless(name));
    CHECK(said(suspicions(using_names(name), {}, {})).find(why) != std::string::npos);
    CHECK(suspicions(using_names(name), {}, {name}).empty());  // what the reference uses, others may
  }
}

TEST_CASE("A name that the linked library of linear algebra exports does the work", "[grade]") {
  const Surroundings around{.linear_algebra = {"dgemv_", "dsyrk_", "ddot_"}};
  CHECK(said(suspicions(using_names("dgemv_ ddot_"), around, {})) ==
        "ddot_: calls a library that does the work of this rung\n"
        "dgemv_: calls a library that does the work of this rung\n");
}

TEST_CASE("Of the harness a rung may use what the headers for rungs declare", "[grade]") {
  Surroundings around{.harness = {"_ZN6ladder8executor14observe_kernelEPKc",
                                  "_ZN6ladder8executor14stop_observingEv", "_ZN6ladder8executor8observerE",
                                  "_Z16cudaGetLastErrorv", "_Z11cublasDgemmPv",
                                  "ladder_executor_thread_index", "__tsan_read8", "_Znwm", "sink_of_traces"}};
  add_words(
      "namespace ladder::executor { void observe_kernel(const char*); } cudaGetLastError cublasDgemm read "
      "exit\n"
      "// observer, ladder_observe_begin\n/* stop_observing */"
      "extern uint3 threadIdx __asm__(\"ladder_executor_thread_index\");",
      around.executor_words);
  add_words("namespace ladder { namespace executor {} void check(); void observer(); }", around.device_words);
  add_words("namespace dgemm { void pack(); } observer", around.lesson_words);
  const auto found = suspicions(
      using_names("_ZN6ladder8executor14observe_kernelEPKc _ZN6ladder8executor14stop_observingEv "
                  "_ZN6ladder8executor8observerE _Z16cudaGetLastErrorv _Z11cublasDgemmPv _ZN5dgemm4packEv "
                  "_ZN6ladder5checkEv _ZN6ladder4packEv ladder_executor_thread_index ladder_observe_begin "
                  "_ZTIN6ladder8executor3HubE exit __tsan_read8 _Znwm sink_of_traces"),
      around, {});
  const std::string calls = ": calls a part of the harness that no header for rungs declares\n";
  CHECK(said(found) ==
        "_Z11cublasDgemmPv: calls a library that does the work of this rung\n"
        "_ZN6ladder4packEv" +
            calls + "_ZN6ladder8executor14stop_observingEv" + calls + "_ZN6ladder8executor8observerE" +
            calls + "_ZTIN6ladder8executor3HubE" + calls +
            "exit: ends the process itself\n"
            "ladder_observe_begin" +
            calls + "sink_of_traces" + calls);
}

}  // namespace ladder::grade
