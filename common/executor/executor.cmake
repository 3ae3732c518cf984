# The executor: CUDA sources as programs of the processor.
#   ladder-executor            the runtime
#   cu2cpp                     the rewriter, in bin/
#   ladder_cuda_on_cpu(target file.cu...)   adds CUDA sources to a program
# LADDER_PREFIX, CMAKE_PREFIX_PATH: where else OpenBLAS may be. Without it everything but cuBLAS is there.

find_package(Threads REQUIRED)

set(LADDER_EXECUTOR_DIR ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(LADDER_EXECUTOR_ROOT ${LADDER_EXECUTOR_DIR}/../.. ABSOLUTE)

file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/rewriter/*.cpp)
add_executable(cu2cpp ${_sources})
target_include_directories(cu2cpp PRIVATE ${LADDER_EXECUTOR_ROOT})
target_compile_features(cu2cpp PRIVATE cxx_std_20)
target_compile_options(cu2cpp PRIVATE -O2)
set_target_properties(cu2cpp PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/runtime/*.cpp)
add_library(ladder-executor STATIC ${_sources})
target_include_directories(ladder-executor PUBLIC ${LADDER_EXECUTOR_ROOT})
target_include_directories(ladder-executor BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
target_compile_features(ladder-executor PUBLIC cxx_std_20)
# Optimised in every build type: a debug build of the switch and the barriers would be ten times slower.
target_compile_definitions(ladder-executor PRIVATE LADDER_PROJECT_FOLDER="${PROJECT_SOURCE_DIR}/")
target_compile_options(ladder-executor PRIVATE -O2 -g -fno-omit-frame-pointer -Wall -Wextra)
target_link_libraries(ladder-executor PUBLIC Threads::Threads)

# cuBLAS on OpenBLAS. Not found: a program that calls cublasDgemm does not link, and the linker names the function.
find_path(LADDER_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread)
find_library(LADDER_OPENBLAS openblas PATH_SUFFIXES openblas-pthread)
if(LADDER_CBLAS_INCLUDE AND LADDER_OPENBLAS)
  file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/cublas/*.cpp)
  target_sources(ladder-executor PRIVATE ${_sources})
  target_include_directories(ladder-executor PRIVATE ${LADDER_CBLAS_INCLUDE})
  target_link_libraries(ladder-executor PUBLIC ${LADDER_OPENBLAS})
else()
  message(STATUS "OpenBLAS was not found: the executor has no cuBLAS")
endif()

# Lets sources of `target` that are no CUDA sources include <cuda_runtime.h> of the executor. Before all other folders:
# a CUDA toolkit's headers may be among them.
function(ladder_executor_headers target)
  target_include_directories(${target} BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
endfunction()

# Adds CUDA sources to `target`: rewrites them, compiles them with the executor's headers, links the executor.
# Headers that they include by "name" are found beside them and in the target's own include folders.
function(ladder_cuda_on_cpu target)
  ladder_executor_headers(${target})
  foreach(file IN LISTS ARGN)
    get_filename_component(source ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    get_filename_component(source_dir ${source} DIRECTORY)
    set(rewritten ${CMAKE_CURRENT_BINARY_DIR}/${target}.cuda/${name}.cpp)
    set(dirs $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.cuda)
    add_custom_command(
      OUTPUT ${rewritten}
      COMMAND cu2cpp ${source} ${rewritten} --depfile ${rewritten}.d "$<$<BOOL:${dirs}>:-I$<JOIN:${dirs},;-I>>"
      DEPENDS ${source} cu2cpp
      DEPFILE ${rewritten}.d
      COMMENT "Rewriting ${name} for the executor"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${rewritten})
    # DWARF 4: with 5 some addr2line print the rewritten file's name. -O2 in every build type, as nvcc optimises in all.
    # Messages name files as seen from the project's folder: the prefix map. Debuggers find them by their whole path.
    set_source_files_properties(${rewritten} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS
      "-std=c++20;-O2;-g;-gdwarf-4;-fno-omit-frame-pointer;-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=;-iquote;${source_dir}")
  endforeach()
  target_link_libraries(${target} PRIVATE ladder-executor)
endfunction()

# An object library of one CUDA source, for programs that several sources make up; they link ladder-executor themselves.
function(ladder_executor_object name source)
  add_library(${name} OBJECT)
  ladder_cuda_on_cpu(${name} ${source})
endfunction()
