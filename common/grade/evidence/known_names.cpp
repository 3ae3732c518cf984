#include "common/grade/evidence/known_names.hpp"

#include <initializer_list>
#include <vector>

namespace ladder::grade {
namespace {

/// Calls by which a program leaves what a step does, by what they are about.
struct Group {
  Reason reason;
  std::vector<std::string_view> names;  ///< one that ends in * is a beginning
};

const std::vector<Group> groups = {
    {{"calls a library that does the work of this rung",
      "it calls it for something else than the work that the rung is about"},
     {"cblas_*", "LAPACKE_*", "openblas_*", "cublas*", "cusolver*", "cusparse*", "cufft*", "fftw_*",
      "goto_*"}},
    {{"loads code while it runs", "a helper for debugging or profiling was left in"},
     {"dlopen*", "dlmopen", "dlsym", "dlvsym", "dladdr", "dl_iterate_phdr"}},
    {{"starts other programs or copies of itself",
      "a call for debugging was left in, as system(\"nvidia-smi\")"},
     {"system", "popen", "fork", "vfork", "forkpty", "clone*", "exec*", "posix_spawn*", "spawn*", "wordexp",
      "daemon", "MPI_Comm_spawn*", "pidfd_spawn*"}},
    {{"reaches for other processes", "it signals itself, in an assertion of its own"},
     {"ptrace", "process_vm_*", "kill", "tgkill", "pidfd_*", "sigqueue", "killpg", "pthread_kill",
      "pthread_sigqueue", "raise", "gsignal", "process_madvise", "wait", "wait3", "wait4", "waitpid",
      "waitid"}},
    {{"ends the process itself",
      "its own macro ends the program when a call fails, as many textbooks have it"},
     {"exit", "Exit", "quick_exit"}},
    {{"registers a function for the end of the process",
      "a header or a compiler registers a clean-up, as nvcc does for each kernel"},
     {"atexit", "at_quick_exit", "on_exit", "cxa_at_quick_exit", "pthread_atfork", "register_atfork"}},
    {{"calls the kernel without the C library", "it asks for the number of a thread or for the time"},
     {"syscall", "syscall_instruction"}},
    {{"runs code before the program", ""}, {"section_preinit_array"}},
    {{"has code in a section of its own", "it groups rarely used functions by hand"}, {"section_*"}},
    {{"opens files", "it writes a log or a trace for debugging, or reads a table that it has made"},
     {"open",
      "openat",
      "openat2",
      "open_by_handle_at",
      "creat*",
      "fopen",
      "freopen",
      "fdopen",
      "fopencookie",
      "opendir",
      "fdopendir",
      "scandir*",
      "ftw",
      "nftw",
      "fts_*",
      "glob",
      "readlink*",
      "realpath",
      "setmntent",
      "getmntent*",
      "fmemopen",
      "open_memstream",
      "getdents*",
      "stat*",
      "lstat*",
      "fstat*",
      "xstat",
      "access*",
      "faccessat",
      "MPI_File_*",
      "inotify*",
      "file_open",
      "getpw*",
      "getgr*",
      "_ZNSt13basic_filebuf*",
      "_ZNSt14basic_ifstream*",
      "_ZNSt14basic_ofstream*",
      "_ZNSt13basic_fstream*",
      "_ZNSt10filesystem*",
      "_ZNKSt10filesystem*",
      "_ZNSt12__basic_file*",
      "_ZNKSt12__basic_file*",
      "_ZTVSt13basic_filebuf*",
      "_ZTVSt14basic_ifstream*",
      "_ZTVSt14basic_ofstream*",
      "_ZTVSt13basic_fstream*",
      "_ZTTSt14basic_ifstream*",
      "_ZTTSt14basic_ofstream*",
      "_ZTTSt13basic_fstream*",
      "_ZNKSt13basic_filebuf*",
      "_ZNKSt14basic_ifstream*",
      "_ZNKSt14basic_ofstream*",
      "_ZNKSt13basic_fstream*"}},
    {{"changes files", "it clears away a log of its own"},
     {"unlink*",   "rename*",   "remove",          "chmod",    "fchmod*", "chown",   "fchown*",
      "lchown",    "link",      "linkat",          "symlink*", "mkdir*",  "rmdir",   "mkstemp*",
      "mkostemp*", "mkdtemp",   "mktemp",          "tmpfile",  "tmpnam*", "tempnam", "truncate",
      "ftruncate", "fallocate", "posix_fallocate", "mknod*",   "mkfifo*", "utime*",  "chdir",
      "fchdir",    "chroot",    "mount",           "umount*",  "umask"}},
    {{"reads or writes open descriptors", "it prints by write(1, …)"},
     {"read",
      "write",
      "pread*",
      "pwrite*",
      "readv",
      "writev",
      "preadv*",
      "pwritev*",
      "recv",
      "recvfrom",
      "recvmsg",
      "recvmmsg",
      "send",
      "sendmmsg",
      "dup",
      "dup2",
      "dup3",
      "fcntl",
      "sendfile",
      "splice",
      "tee",
      "vmsplice",
      "copy_file_range",
      "lseek",
      "close",
      "close_range",
      "closefrom",
      "ioctl",
      "select",
      "pselect",
      "poll",
      "ppoll",
      "epoll_*",
      "eventfd*",
      "pipe",
      "pipe2",
      "aio_*",
      "lio_listio",
      "io_*",
      "dprintf",
      "vdprintf",
      "fsync",
      "fdatasync",
      "syncfs"}},
    {{"reads the standard input", "it waits for a key, as a program of its own does"},
     {"getchar*",  "getc*",   "fgetc*",    "fgets*",       "gets",         "scanf",    "fscanf",
      "vscanf",    "vfscanf", "stdin",     "2_1_stdin",    "getline",      "getdelim", "fread*",
      "ungetc",    "uflow",   "underflow", "_ZSt3cin",     "_ZSt4wcin",    "wscanf",   "fwscanf",
      "getwchar*", "getwc*",  "fgetw*",    "isoc99_scanf", "isoc99_fscanf"}},
    {{"changes the rights of memory", "it asks for large aligned memory"},
     {"mprotect", "pkey_*", "mremap", "mmap*", "munmap", "memfd_create", "memfd_secret", "madvise", "brk",
      "sbrk", "mlock*", "remap_file_pages"}},
    {{"handles signals", "it prints where it crashed"},
     {"signal",      "bsd_signal",   "sysv_signal", "sigaction", "sigprocmask", "pthread_sigmask",
      "sigaltstack", "setitimer",    "timer_*",     "timerfd_*", "signalfd",    "sigset",
      "sigwait*",    "sigtimedwait", "sigsuspend",  "alarm",     "ualarm",      "siginterrupt",
      "sigfillset",  "sigemptyset",  "sigaddset"}},
    {{"opens connections or shared memory", "its ranks share memory, which MPI's windows do as well"},
     {"socket*",          "connect",        "bind",          "listen",
      "accept*",          "sendto",         "sendmsg",       "shm_*",
      "shmget",           "shmat",          "shmctl",        "shmdt",
      "semget",           "semop",          "semctl",        "msgget",
      "msgsnd",           "msgrcv",         "mq_*",          "sem_open",
      "getaddrinfo",      "gethostbyname*", "MPI_Open_port", "MPI_Comm_accept",
      "MPI_Comm_connect", "MPI_Comm_join",  "cudaIpc*"}},
    {{"reads or changes its surroundings", "it reads a switch of its own for debugging, or OMP_NUM_THREADS"},
     {"getenv",         "secure_getenv", "setenv",     "putenv",      "unsetenv",
      "clearenv",       "environ",       "setrlimit*", "prlimit*",    "prctl",
      "arch_prctl",     "personality",   "setuid",     "setgid",      "seteuid",
      "setns",          "unshare",       "nice",       "setpriority", "sched_setscheduler",
      "sched_setparam", "auxv",          "getauxval",  "r_debug",     "program_invocation*",
      "progname*",      "libc_argv",     "stack_end"}},
    {{"leaves its call by a jump", "it comes back from nested calls that way, as programs in C do"},
     {"longjmp", "siglongjmp", "setjmp", "sigsetjmp", "setcontext", "getcontext", "makecontext",
      "swapcontext"}},
};

// What is harmless in any step. Of the C library: nothing that opens, reads or changes what is outside of the
// process.
constexpr std::string_view c_library[] = {
    // strings and memory
    "mem*", "str*", "stp*", "wcs*", "wmem*", "bcopy", "bcmp", "bzero", "explicit_bzero", "index", "rindex",
    "ffs*", "swab", "rawmemchr", "is[abcdglpsuwx]*", "to[lu]*", "ctype_*", "atoi", "atol", "atoll", "atof",
    "basename", "mbs*", "mbr*", "mbtowc", "wcr*", "wct*", "btowc", "wctob", "nl_langinfo", "localeconv",
    "setlocale", "newlocale", "freelocale", "uselocale", "duplocale",
    // memory and sorting
    "malloc*", "calloc", "realloc*", "free", "cfree", "aligned_alloc", "posix_memalign", "memalign", "valloc",
    "pvalloc", "qsort*", "bsearch", "lfind", "lsearch", "hcreate*", "hsearch*", "hdestroy*", "tsearch",
    "tfind", "twalk", "tdelete", "abs", "labs", "llabs", "div", "ldiv", "lldiv", "rand", "rand_r", "srand",
    "random*", "srandom*", "initstate*", "setstate*", "drand48*", "erand48*", "lrand48*", "nrand48*",
    "mrand48*", "jrand48*", "srand48*", "seed48*", "lcong48*", "arc4random*", "getrandom", "getentropy",
    "abort",
    // printing
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf",
    "vasprintf", "sscanf", "vsscanf", "puts", "fputs*", "putchar*", "putc", "putc_unlocked", "fputc*",
    "fwrite*", "fflush*", "perror", "setbuf", "setbuffer", "setlinebuf", "setvbuf", "stdout", "stderr",
    "2_1_stdout", "2_1_stderr", "ferror*", "feof*", "clearerr*", "wprintf", "fwprintf", "swprintf",
    "vswprintf", "fputw*", "putw*", "overflow", "flockfile", "funlockfile", "ftrylockfile", "psignal",
    "printf_size*",
    // errors and assertions
    "errno_location", "assert", "assert_fail", "assert_perror_fail", "err", "errx", "warn", "warnx", "verr*",
    "vwarn*", "error", "error_at_line", "program_invocation_short_name", "backtrace*",
    // time
    "time", "clock", "clock_gettime", "clock_getres", "clock_nanosleep", "gettimeofday", "nanosleep",
    "usleep", "sleep", "times", "difftime", "mktime", "timegm", "timelocal", "gmtime*", "localtime*",
    "ctime*", "asctime*", "timespec_get", "tzset", "daylight", "timezone", "tzname", "getrusage",
    // threads, and what they may know of the machine
    "pthread_*", "thrd_*", "mtx_*", "cnd_*", "tss_*", "call_once", "sem_init", "sem_destroy", "sem_wait",
    "sem_post", "sem_trywait", "sem_timedwait", "sem_getvalue", "sched_yield", "sched_getcpu",
    "sched_getaffinity", "sched_setaffinity", "sched_cpu*", "getcpu", "get_nprocs*", "sysconf", "getpagesize",
    "getpid", "gettid", "gethostname",
    // mathematics by more than one name, and the floating-point environment
    "fe[cghrstu]*", "signgam", "fpclassify*", "isnan*", "isinf*", "finite*", "signbit*", "issignaling*",
    "iseqsig*"};

constexpr std::string_view mathematics[] = {
    "acos",      "acosh",      "asin",      "asinh",  "atan",        "atan2",   "atanh",  "cbrt",
    "ceil",      "copysign",   "cos",       "cosh",   "cospi",       "drem",    "erf",    "erfc",
    "exp",       "exp10",      "exp2",      "expm1",  "fabs",        "fdim",    "floor",  "fma",
    "fmax",      "fmin",       "fmod",      "frexp",  "gamma",       "hypot",   "ilogb",  "j0",
    "j1",        "jn",         "ldexp",     "lgamma", "llrint",      "llround", "log",    "log10",
    "log1p",     "log2",       "logb",      "lrint",  "lround",      "modf",    "nan",    "nearbyint",
    "nextafter", "nexttoward", "pow",       "pow10",  "remainder",   "remquo",  "rint",   "round",
    "roundeven", "scalb",      "scalbln",   "scalbn", "significand", "sin",     "sincos", "sinh",
    "sinpi",     "sqrt",       "tan",       "tanh",   "tgamma",      "trunc",   "y0",     "y1",
    "yn",        "fmaximum*",  "fminimum*", "cabs",   "cacos",       "cacosh",  "carg",   "casin",
    "casinh",    "catan",      "catanh",    "ccos",   "ccosh",       "cexp",    "cimag",  "clog",
    "clog10",    "conj",       "cpow",      "cproj",  "creal",       "csin",    "csinh",  "csqrt",
    "ctan",      "ctanh",      "lgamma*_r", "gamma_r"};

// What compilers call, and the C++ library but for its files (above, which is asked first).
constexpr std::string_view of_compilers[] = {
    "_GLOBAL_OFFSET_TABLE_", "_Unwind_*", "__cxa_*", "__gxx_personality_*", "__gcc_personality_*",
    "__dso_handle", "__libc_single_threaded", "__once_proxy", "__stack_chk_fail*", "__tls_get_addr",
    "_TLS_MODULE_BASE_", "_ITM_*", "__gmon_start__", "__cpu_model", "__cpu_indicator_init", "__chk_fail",
    "__gthr*", "__emutls*", "_DYNAMIC", "__TMC_END__", "_ZGV[bcdesn]*", "__mul[dsxt]c3", "__div[dsxt]c3",
    "__powi[dsxt]f2", "__float*", "__fix*", "__extend*", "__trunc*", "__udiv*", "__umod*", "__divti3",
    "__modti3", "__divmodti4", "__udivmodti4", "__popcount*", "__clz*", "__ctz*", "__bswap*", "__parity*",
    "__addtf3", "__subtf3", "__multf3", "__divtf3", "__negtf2", "__eqtf2", "__netf2", "__lttf2", "__letf2",
    "__gttf2", "__getf2", "__unordtf2", "__atomic_*", "__sync_*", "__aarch64_*", "__asan_*", "__tsan_*",
    "__ubsan_*", "__sanitizer_cov_*", "__lsan_*", "__odr_asan*", "__cudaRegister*", "__cudaUnregister*",
    "__cudaPush*", "__cudaPop*", "__cudaLaunch*", "__cudaGetKernel", "__cudaInitModule", "__fatbinwrap*",
    "__nv_*", "__device_stub*", "__hip*", "__kmpc_*", "GOMP_*", "GOACC_*", "omp_*", "MPI_*", "PMPI_*",
    "ompi_*", "cl[A-Z]*", "cuda[A-Z]*", "cu[A-Z]*", "nvtx*", "curand*",
    // the C++ library; iostreams to stdout, but no files
    "_Zn[wa]*", "_Zd[la]*", "_ZNSt*", "_ZNKSt*", "_ZNVSt*", "_ZNOSt*", "_ZNRSt*", "_ZSt*", "_ZTISt*",
    "_ZTVSt*", "_ZTSSt*", "_ZTTSt*", "_ZTCSt*", "_ZTCNSt*", "_ZTINSt*", "_ZTVNSt*", "_ZTSNSt*", "_ZTTNSt*",
    "_ZGVNSt*", "_ZTHNSt*", "_ZTWNSt*", "_ZTv*", "_ZThn*", "_ZGTtNSt*", "_ZNS[a-z]*", "_ZNKS[a-z]*",
    "_ZTVN10__cxxabiv1*", "_ZTIN10__cxxabiv1*", "_ZNK10__cxxabiv1*", "_ZN10__cxxabiv1*", "_ZTI[a-zP]*",
    "_ZN9__gnu_cxx*", "_ZNK9__gnu_cxx*", "_ZTVN9__gnu_cxx*", "_ZTIN9__gnu_cxx*", "_ZN14__gnu_parallel*",
    "_ZNK11__gnu_debug*", "_ZN11__gnu_debug*"};

/// Of a class of characters "[a-z]".
bool in_class(std::string_view letters, char c) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (i + 2 < letters.size() && letters[i + 1] == '-') {
      if (letters[i] <= c && c <= letters[i + 2]) return true;
      i += 2;
    } else if (letters[i] == c) {
      return true;
    }
  }
  return false;
}

/// Functions of cuBLAS that compute nothing.
constexpr std::string_view handles[] = {"cublasCreate*", "cublasDestroy*", "cublasSet[SPMWLA]*",
                                        "cublasGet[SPMWVLCA]*"};

/// One of the groups that has the name.
const Group* group_of(std::string_view name) {
  if (matches_any(handles, name)) return nullptr;
  const std::string plain = without_decorations(name);
  for (const Group& group : groups)
    if (matches_any(group.names, name) || matches_any(group.names, plain)) return &group;
  return nullptr;
}

}  // namespace

bool is_mathematics(std::string_view name) {
  while (name.starts_with('_')) name.remove_prefix(1);
  for (std::string_view ending : {"_finite", "_r_finite", "f32x", "f64x", "f128", "f16", "f32", "f64"})
    if (name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  if (matches_any(mathematics, name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         matches_any(mathematics, name.substr(0, name.size() - 1));
}

bool matches_name(std::string_view pattern, std::string_view name) {
  while (!pattern.empty()) {
    if (pattern.front() == '*') {
      if (pattern.size() == 1) return true;
      for (std::size_t skip = 0; skip <= name.size(); ++skip)
        if (matches_name(pattern.substr(1), name.substr(skip))) return true;
      return false;
    }
    if (name.empty()) return false;
    if (pattern.front() == '[') {
      const auto end = pattern.find(']');
      if (!in_class(pattern.substr(1, end - 1), name.front())) return false;
      pattern.remove_prefix(end + 1);
    } else {
      if (pattern.front() != name.front()) return false;
      pattern.remove_prefix(1);
    }
    name.remove_prefix(1);
  }
  return name.empty();
}

std::string without_decorations(std::string_view name) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::string_view begin : {"__libc_", "_IO_", "__GI_", "__new_", "__isoc99_", "__isoc23_", "_"})
      if (name.size() > begin.size() && name.starts_with(begin)) {
        name.remove_prefix(begin.size());
        changed = true;
        break;
      }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::string_view end : {"_nocancel", "_chk", "64", "_2"})
      if (name.size() > end.size() && name.ends_with(end)) {
        name.remove_suffix(end.size());
        changed = true;
        break;
      }
  }
  return std::string(name);
}

bool is_harmless(std::string_view name) {
  if (group_of(name)) return false;
  if (matches_any(handles, name)) return true;
  if (matches_any(of_compilers, name) || is_mathematics(name)) return true;
  return matches_any(c_library, without_decorations(name));
}

bool is_suspicious(std::string_view name) {
  return group_of(name) != nullptr;
}

Reason reason_of(std::string_view name) {
  if (const Group* group = group_of(name)) return group->reason;
  return {"uses a name that neither the reference nor any list of harmless ones has",
          "it is a harmless function of a library: allow it in the course file"};
}

}  // namespace ladder::grade
