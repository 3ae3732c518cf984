# The reference as HTML, in docs/html of the build folder. A warning of Doxygen is an error.

find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "doxygen was not found: no target docs")
  return()
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/docs)
list(TRANSFORM lessons PREPEND "lessons/" OUTPUT_VARIABLE folders)
list(JOIN folders " " DOXYGEN_LESSON_FOLDERS)  # where the pages' figures are
# From 1.9.5 on Doxygen has dark pages of its own, which docs/site.css would invert; before, it does not know this line.
set(DOXYGEN_COLOURS "")
execute_process(COMMAND ${DOXYGEN_EXECUTABLE} --version OUTPUT_VARIABLE doxygen_version)
if(doxygen_version VERSION_GREATER_EQUAL 1.9.5)
  set(DOXYGEN_COLOURS "HTML_COLORSTYLE        = LIGHT")
endif()
configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${CMAKE_BINARY_DIR}/Doxyfile @ONLY)
add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E make_directory ${DOXYGEN_OUTPUT_DIRECTORY}
  COMMAND ${DOXYGEN_EXECUTABLE} -q ${CMAKE_BINARY_DIR}/Doxyfile WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
