# Host and device rules of .cu files: what g++ accepts and nvcc refuses (a missing __device__, a container in a kernel).
# clang's CUDA front end knows the rules and needs no CUDA toolkit.
#   LADDER_LINT_COMMAND          to which -std=…, -I… and the source are added; empty without clang
#   ladder_lint(path lesson source)   the target workers/<path>.lint: clang's messages, for the tool to read
# nvcc itself would be more exact, but takes seconds where clang takes half a second: nvcc-check is for tests.

unset(LADDER_CLANG CACHE)  # a newer one may have been installed
find_program(LADDER_CLANG NAMES clang++ clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
set(LADDER_LINT_DIR ${CMAKE_CURRENT_LIST_DIR})
set(LADDER_LINT_COMMAND)
if(LADDER_CLANG)
  # The device's side: only there clang looks at variables too. Any architecture will do, nothing is generated.
  set(LADDER_LINT_COMMAND ${LADDER_CLANG} -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -fsyntax-only
    -w -Wno-unknown-cuda-version -ferror-limit=0 -fno-caret-diagnostics -fno-color-diagnostics -fno-spell-checking
    -Xclang -fcuda-allow-variadic-functions -I${LADDER_LINT_DIR} -I${LADDER_EXECUTOR_DIR}/include
    -include ${LADDER_LINT_DIR}/keywords.h -include cuda_runtime.h)
else()
  message(STATUS "clang was not found: host and device rules of .cu files are not checked")
endif()

function(ladder_lint path lesson source)
  if(NOT LADDER_LINT_COMMAND)
    return()
  endif()
  set(output ${CMAKE_BINARY_DIR}/workers/${path}.lint)
  file(GLOB headers CONFIGURE_DEPENDS ${LADDER_LINT_DIR}/*.h)
  add_custom_command(OUTPUT ${output} DEPENDS ${source} ${headers} DEPFILE ${output}.d
    COMMAND sh ${LADDER_LINT_DIR}/lint.sh ${output} ${LADDER_LINT_COMMAND} -std=c++20 -I${PROJECT_SOURCE_DIR}
            -I${PROJECT_SOURCE_DIR}/lessons/${lesson} -MD -MF ${output}.d -MT ${output} ${source}
    COMMENT "" VERBATIM)
  string(REGEX REPLACE "[/~]" "-" target lint-${path})
  add_custom_target(${target} DEPENDS ${output})
endfunction()
