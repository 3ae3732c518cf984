# Host and device rules of .cu files: what g++ accepts and nvcc refuses (a missing __device__, a container in a kernel).
# clang's CUDA front end knows the rules and needs no CUDA toolkit.
#   LADDER_LINT_COMMAND          to which -std=…, -I… and the source are added; empty without clang
#   LADDER_LINT_HEADERS_20, _17  what lint.sh gets as --headers for -std=c++20 and -std=gnu++17; the targets lint-headers-20, -17
#   ladder_lint(path lesson source)   the target workers/<path>.lint: clang's messages, for the tool to read
# nvcc itself would be more exact, but takes seconds where clang takes half a second: nvcc-check is for tests.

unset(LADDER_CLANG CACHE)  # a newer one may have been installed
find_program(LADDER_CLANG NAMES clang++ clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
set(LADDER_LINT_DIR ${CMAKE_CURRENT_LIST_DIR})
set(LADDER_LINT_COMMAND)
if(LADDER_CLANG)
  # The device's side: only there clang looks at variables too. Any architecture will do, nothing is generated.
  set(LADDER_LINT_COMMAND ${LADDER_CLANG} -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -fsyntax-only
    -w -Wno-unknown-cuda-version -ferror-limit=0 -fno-caret-diagnostics -fno-color-diagnostics -fno-spell-checking -fno-crash-diagnostics
    -Xclang -fcuda-allow-variadic-functions -I${LADDER_LINT_DIR} -I${LADDER_EXECUTOR_DIR}/include
    -include ${LADDER_LINT_DIR}/keywords.h -include cuda_runtime.h -include allocation.h)
else()
  message(STATUS "clang was not found: host and device rules of .cu files are not checked")
endif()

# <cuda_runtime.h> for both sides, and for both standards: that of steps and nvcc's own, which other programs get.
set(LADDER_LINT_HEADERS_20)
set(LADDER_LINT_HEADERS_17)
if(LADDER_LINT_COMMAND)
  set(_header ${CMAKE_BINARY_DIR}/lint-headers/headers.cuh)
  file(CONFIGURE OUTPUT ${_header} CONTENT "#include <cuda_runtime.h>\n")
  foreach(standard c++20 gnu++17)
    string(REGEX REPLACE "[a-z+]+" "" year ${standard})
    foreach(side device host)
      set(compiled ${CMAKE_BINARY_DIR}/lint-headers/${side}-${year}.pch)
      set(command ${LADDER_LINT_COMMAND})
      list(POP_BACK command allocation include header include)  # the header itself, and what is not precompiled
      list(TRANSFORM command REPLACE "^--cuda-device-only$" "--cuda-${side}-only")
      add_custom_command(OUTPUT ${compiled} DEPENDS ${_header} ${LADDER_LINT_DIR}/lint_headers.sh
        ${LADDER_LINT_DIR}/bits/stl_pair.h DEPFILE ${compiled}.d  # this header hides one that a depfile of before names
        COMMAND sh ${LADDER_LINT_DIR}/lint_headers.sh ${compiled} ${command} -std=${standard} -MD -MF ${compiled}.d -MT ${compiled} ${_header}
        COMMENT "" VERBATIM)
      list(APPEND LADDER_LINT_HEADERS_${year} ${compiled})
    endforeach()
    add_custom_target(lint-headers-${year} DEPENDS ${LADDER_LINT_HEADERS_${year}})
  endforeach()
endif()

function(ladder_lint path lesson source)
  if(NOT LADDER_LINT_COMMAND)
    return()
  endif()
  set(output ${CMAKE_BINARY_DIR}/workers/${path}.lint)
  add_custom_command(OUTPUT ${output} DEPENDS ${source} ${LADDER_LINT_HEADERS_20} ${LADDER_LINT_DIR}/lint.sh DEPFILE ${output}.d
    COMMAND sh ${LADDER_LINT_DIR}/lint.sh ${output} --headers ${LADDER_LINT_HEADERS_20} ${LADDER_LINT_COMMAND} -std=c++20 -I${PROJECT_SOURCE_DIR}
            -I${PROJECT_SOURCE_DIR}/lessons/${lesson} -MD -MF ${output}.d -MT ${output} ${source}
    COMMENT "" VERBATIM)
  string(REGEX REPLACE "[/~]" "-" target lint-${path})
  add_custom_target(${target} DEPENDS ${output})
endfunction()
