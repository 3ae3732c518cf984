# shellcheck shell=sh disable=SC2154
# Read by the tests of --remote: a checkout in $project whose tool is the script $project/tool.sh, which they write.
make_stand_in() {
  mkdir -p "$project/common/tool" "$project/lessons" "$project/.ladder"
  cp "$checkout/ladder" "$project/"
  cp "$checkout"/common/tool/packages.* "$checkout"/common/tool/prefix.sh "$checkout"/common/tool/*verbs.* \
    "$checkout"/common/tool/first_build.sh \
    "$checkout"/common/tool/remote*.sh "$project/common/tool/"
  cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(stand-in LANGUAGES NONE)
foreach(program ladder-check ladder-student ladder-class ladder-dev)
  add_custom_target(${program} COMMAND ${CMAKE_COMMAND} -E make_directory bin
    COMMAND cp ${CMAKE_SOURCE_DIR}/tool.sh bin/${program} && chmod +x bin/${program})
endforeach()
END
}
