# libsodium, found without pkg-config, which a fresh machine does not have.

find_path(LADDER_SODIUM_INCLUDE sodium.h)
find_library(LADDER_SODIUM NAMES libsodium.a sodium)
if(NOT LADDER_SODIUM_INCLUDE OR NOT LADDER_SODIUM)
  message(FATAL_ERROR "sodium.h or libsodium was not found (package libsodium-dev)")
endif()
add_library(ladder-sodium UNKNOWN IMPORTED)
set_target_properties(ladder-sodium PROPERTIES IMPORTED_LOCATION ${LADDER_SODIUM} INTERFACE_INCLUDE_DIRECTORIES ${LADDER_SODIUM_INCLUDE})
