# How the tool compiles CUDA programs that this project does not know (`./ladder check FILE.cu`): with the compiler, the
# flags and the libraries of ladder_cuda_on_cpu, which CMake writes down here. One source of truth.
# Included after the executor has all that it is linked with.

# What a program that links `target` hands to the linker: files and flags, what needs others first.
function(_ladder_link_line target result)
  set(line $<TARGET_FILE:${target}>)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library ${libraries})
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(library STREQUAL "Threads::Threads")
      list(APPEND line -pthread)
    elseif(TARGET ${library})
      get_target_property(type ${library} TYPE)
      get_target_property(imported ${library} IMPORTED)
      if(imported AND NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND line $<TARGET_FILE:${library}>)
      elseif(NOT type STREQUAL "INTERFACE_LIBRARY")
        _ladder_link_line(${library} more)
        list(APPEND line ${more})
      endif()
    elseif(library MATCHES "^[/-]")
      list(APPEND line ${library})
    elseif(library)
      list(APPEND line -l${library})
    endif()
  endforeach()
  set(${result} ${line} PARENT_SCOPE)
endfunction()

# ["a", "b"]
function(_ladder_json_list result)
  list(REMOVE_ITEM ARGN "")
  list(TRANSFORM ARGN REPLACE "(.+)" "\"\\1\"")
  list(JOIN ARGN ", " text)
  set(${result} "[${text}]" PARENT_SCOPE)
endfunction()

# <cuda_runtime.h>, compiled with the flags of such programs and no others; with nvcc's default standard.
# _ladder_program_headers(<name> <result> <flag>...): <result> is what to include first
function(_ladder_program_headers name result)
  set(${result} "" PARENT_SCOPE)
  if(NOT LADDER_PRECOMPILES)
    return()
  endif()
  set(header ${CMAKE_BINARY_DIR}/program-headers/${name}.hpp)
  file(CONFIGURE OUTPUT ${header} CONTENT "#include <cuda_runtime.h>\n")
  add_custom_command(OUTPUT ${header}.gch DEPENDS ${header} DEPFILE ${header}.d
    COMMAND ${CMAKE_CXX_COMPILER} -std=gnu++17 ${ARGN} -w -I${LADDER_EXECUTOR_DIR}/include -MD -MF ${header}.d -MT ${header}.gch
            -x c++-header ${header} -o ${header}.gch
    COMMENT "Compiling <cuda_runtime.h> for ${name} programs" VERBATIM)
  add_custom_target(program-headers-${name} DEPENDS ${header}.gch)
  set(${result} ${header} PARENT_SCOPE)
endfunction()
_ladder_program_headers(plain _plain_headers ${LADDER_CUDA_FLAGS})
_ladder_program_headers(observed _observed_headers ${LADDER_CUDA_FLAGS} ${LADDER_CUDA_OBSERVED_FLAGS})

_ladder_link_line(ladder-executor _plain)
_ladder_link_line(ladder-executor-observe _observed)
list(POP_FRONT _observed)
# The whole archive: nothing calls its constructor.
list(PREPEND _observed -Wl,--whole-archive $<TARGET_FILE:ladder-executor-observe> -Wl,--no-whole-archive)

_ladder_json_list(_launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
_ladder_json_list(_flags ${LADDER_CUDA_FLAGS})
_ladder_json_list(_observed_flags ${LADDER_CUDA_FLAGS} ${LADDER_CUDA_OBSERVED_FLAGS})
set(_plain_targets cu2cpp ladder-executor)
if(LADDER_LINT_COMMAND)
  list(APPEND _plain_targets lint-headers-17)
endif()
set(_observed_targets cu2cpp ladder-executor-observe)
foreach(mode plain observed)
  if(_${mode}_headers)
    list(APPEND _${mode}_targets program-headers-${mode})
  endif()
  _ladder_json_list(_${mode}_targets ${_${mode}_targets})
endforeach()
_ladder_json_list(_plain ${LADDER_LINK_OPTIONS} ${_plain} -Wl,-rpath,$<TARGET_FILE_DIR:ladder-sink>)
_ladder_json_list(_observed ${LADDER_LINK_OPTIONS} ${_observed} -Wl,-rpath,$<TARGET_FILE_DIR:ladder-sink>)
_ladder_json_list(_lint ${LADDER_LINT_COMMAND})
_ladder_json_list(_lint_headers_20 ${LADDER_LINT_HEADERS_20})
_ladder_json_list(_lint_headers_17 ${LADDER_LINT_HEADERS_17})
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/toolchain.json CONTENT "{
  \"launcher\": ${_launcher},
  \"cxx\": \"${CMAKE_CXX_COMPILER}\",
  \"c\": \"${CMAKE_C_COMPILER}\",
  \"rewriter\": \"$<TARGET_FILE:cu2cpp>\",
  \"headers\": \"${LADDER_EXECUTOR_DIR}/include\",
  \"lint\": ${_lint},
  \"lint_headers\": {\"c++20\": ${_lint_headers_20}, \"gnu++17\": ${_lint_headers_17}},
  \"lint_script\": \"${LADDER_LINT_DIR}/lint.sh\",
  \"plain\": {\"flags\": ${_flags}, \"first\": \"${_plain_headers}\", \"link\": ${_plain}, \"targets\": ${_plain_targets}},
  \"observed\": {\"flags\": ${_observed_flags}, \"first\": \"${_observed_headers}\", \"link\": ${_observed}, \"targets\": ${_observed_targets}}
}
")
