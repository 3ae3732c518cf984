# The launcher that confines workers: bin/confine. It is between a judge and each of them.

find_path(LADDER_SECCOMP_INCLUDE seccomp.h)
find_library(LADDER_SECCOMP NAMES libseccomp.a seccomp)  # nothing to be found when workers start
if(NOT LADDER_SECCOMP_INCLUDE OR NOT LADDER_SECCOMP)
  message(FATAL_ERROR "seccomp.h or libseccomp was not found (package libseccomp-dev)")
endif()
# Messages between judge, launcher and worker, and the memory that goes with them.
add_library(ladder-channel STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/judge/worker/channel.cpp ${PROJECT_SOURCE_DIR}/common/judge/session/shared_memory.cpp)
target_link_libraries(ladder-channel PUBLIC ladder-base ladder-options)
target_compile_options(ladder-channel PRIVATE -O1)

set(confine_dir ${PROJECT_SOURCE_DIR}/common/judge/confine)
add_library(ladder-confine STATIC EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/common/judge/relay/stream.cpp ${PROJECT_SOURCE_DIR}/common/judge/relay/judge_half.cpp ${PROJECT_SOURCE_DIR}/common/judge/relay/rank_half.cpp
  ${confine_dir}/missing_protection.cpp ${confine_dir}/landlock.cpp ${confine_dir}/network.cpp ${confine_dir}/capabilities.cpp ${confine_dir}/system_calls.cpp)
target_include_directories(ladder-confine SYSTEM PRIVATE ${LADDER_SECCOMP_INCLUDE})
target_link_libraries(ladder-confine PUBLIC ladder-channel ladder-options ${LADDER_SECCOMP})
target_compile_options(ladder-confine PRIVATE -O1)
add_executable(confine EXCLUDE_FROM_ALL ${confine_dir}/main.cpp)
target_compile_options(confine PRIVATE -O1)
target_link_libraries(confine PRIVATE ladder-confine)
ladder_sanitize(ladder-channel ladder-confine confine)
