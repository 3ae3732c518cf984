# The back ends that watch steps of the tracks c and m.
#   LADDER_SANITIZED                     their names, here or not
#   ladder_sanitized(target backend)     compiles and links a worker with the sanitizer of the back end
#   LADDER_NO_RACES                      why races are not looked for; empty: they are

set(LADDER_SANITIZED races memory mpi-memory)
set(LADDER_MEMORY_FLAGS -fsanitize=address,undefined)
set(LADDER_RACES_FLAGS -fsanitize=thread -fopenmp)
set(LADDER_SANITIZED_FLAGS -g -gdwarf-4 -fno-omit-frame-pointer)

# What turns reports into findings.
add_library(ladder-sanitizer-report STATIC EXCLUDE_FROM_ALL ${judge_dir}/worker/sanitizer_report.cpp)
target_include_directories(ladder-sanitizer-report BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
target_link_libraries(ladder-sanitizer-report PUBLIC ladder-worker ladder-lines ladder-base)

# Libraries of objects: the sanitizers look for our hooks, and nothing asks an archive for them.
add_library(ladder-worker-memory OBJECT EXCLUDE_FROM_ALL ${judge_dir}/worker/backend_cpu.cpp ${judge_dir}/worker/asan_report.cpp)
target_link_libraries(ladder-worker-memory PUBLIC ladder-sanitizer-report)
if(MPI_CXX_FOUND)
  add_library(ladder-worker-mpi-memory OBJECT EXCLUDE_FROM_ALL ${judge_dir}/worker/backend_mpi.cpp ${judge_dir}/worker/asan_report.cpp)
  target_link_libraries(ladder-worker-mpi-memory PUBLIC ladder-sanitizer-report MPI::MPI_CXX)
endif()

# clang instead of the project's compiler, for the sources of a target and to link it.
function(ladder_by_clang target)
  set(by_clang sh ${PROJECT_SOURCE_DIR}/common/cmake/compiler_wrapper.sh ${LADDER_CLANG} ${CMAKE_CXX_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${by_clang}"
    CXX_LINKER_LAUNCHER "sh;${PROJECT_SOURCE_DIR}/common/cmake/compiler_wrapper.sh;${LADDER_CLANG}")
  target_compile_options(${target} PRIVATE -Wno-unknown-warning-option)
endfunction()

# Whether clang has its sanitizer, its OpenMP and Archer.
set(LADDER_NO_RACES "clang is not installed")
if(LADDER_CLANG)
  execute_process(COMMAND ${LADDER_CLANG} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(clang_version ${resources} NAME)
  unset(LADDER_ARCHER CACHE)
  find_file(LADDER_ARCHER libarcher.so PATHS ${resources}/../.. NO_DEFAULT_PATH)
  file(GLOB LADDER_TSAN_RUNTIME ${resources}/lib/*/libclang_rt.tsan*.a)
  set(probe ${CMAKE_BINARY_DIR}/generated/races.cpp)
  file(CONFIGURE OUTPUT ${probe} CONTENT "#include <omp.h>\nint main() { return omp_get_max_threads() == 0; }\n")
  execute_process(COMMAND ${LADDER_CLANG} ${LADDER_RACES_FLAGS} ${probe} -o ${probe}.program
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT LADDER_ARCHER)
    set(LADDER_NO_RACES "clang ${clang_version} has no libarcher.so (packages clang, libclang-rt-dev and libomp-dev)")
  elseif(failed)
    set(LADDER_NO_RACES "clang ${clang_version} makes no programs with ThreadSanitizer and OpenMP (packages clang, libclang-rt-dev and libomp-dev)")
  else()
    set(LADDER_NO_RACES "")
  endif()
endif()
if(LADDER_NO_RACES)
  message(STATUS "Races of CPU steps are not looked for: ${LADDER_NO_RACES}")
else()
  add_library(ladder-worker-races OBJECT EXCLUDE_FROM_ALL
    ${judge_dir}/worker/backend_cpu.cpp ${judge_dir}/worker/tsan_report.cpp ${judge_dir}/worker/archer.cpp)
  set_source_files_properties(${judge_dir}/worker/archer.cpp PROPERTIES COMPILE_OPTIONS "-O0;${LADDER_RACES_FLAGS}")
  ladder_by_clang(ladder-worker-races)
  target_link_libraries(ladder-worker-races PUBLIC ladder-sanitizer-report)
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/found/no-races CONTENT "${LADDER_NO_RACES}")

function(ladder_sanitized target backend)
  if(backend STREQUAL "races")
    ladder_by_clang(${target})
    # Without optimisation, which moves accesses to lines of its own choice. Ranges of addresses: elfutils looks for lines by
    # them. Archer by name: OpenMP's library need not find it.
    target_compile_options(${target} PRIVATE -O0 -w ${LADDER_RACES_FLAGS} ${LADDER_SANITIZED_FLAGS} -gdwarf-aranges)
    target_link_options(${target} PRIVATE ${LADDER_RACES_FLAGS} -Wl,--no-as-needed)
    target_link_libraries(${target} PRIVATE ${LADDER_ARCHER})
  else()
    target_compile_options(${target} PRIVATE -O1 -fopenmp ${LADDER_MEMORY_FLAGS} ${LADDER_SANITIZED_FLAGS})
    target_link_options(${target} PRIVATE -fopenmp ${LADDER_MEMORY_FLAGS})
  endif()
endfunction()
