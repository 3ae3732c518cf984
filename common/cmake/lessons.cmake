# A lesson: its table, its judge and its workers, all found by their file names. A new file is found at the next build.

# Where `source` runs: c -> cpu and its sanitizers, m -> mpi and its sanitizer, g and t: .cpp -> opencl, .cu -> executor, its observed mode and, with nvcc, cuda.
function(ladder_backends_of source result)
  get_filename_component(file ${source} NAME)
  if(file MATCHES "\\.cu$")
    set(backends executor observed cuda)
  elseif(file MATCHES "^[gt][0-9]")
    set(backends opencl)
  elseif(file MATCHES "^m[0-9]")
    set(backends mpi mpi-memory)
  else()
    set(backends cpu races memory)
  endif()
  set(${result} ${backends} PARENT_SCOPE)
endfunction()

# The step files of a folder.
function(ladder_step_files folder result)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/[cmgt][0-9]*_*.cpp ${folder}/[cmgt][0-9]*_*.cu)
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# The workers of one tree of a lesson.
function(ladder_tree tree lesson)
  ladder_step_files(${PROJECT_SOURCE_DIR}/${tree}/${lesson} files)
  foreach(file ${files})
    get_filename_component(step ${file} NAME_WE)
    string(REGEX REPLACE "^[a-z][0-9]+_" "" idea ${step})
    ladder_backends_of(${file} backends)
    foreach(backend ${backends})
      ladder_worker(${tree}/${lesson}/${step} ${lesson} ${backend} ${idea} ${file})
    endforeach()
    if(file MATCHES "\\.cu$")
      ladder_lint(${tree}/${lesson}/${step} ${lesson} ${file})
    endif()
  endforeach()
endfunction()

# The baseline, and the libraries that steps are compared with, but those that the lesson leaves out (lesson_peers_left_out).
# Those whose library the executor does not have run on a GPU only (lesson_peers_of_gpu).
function(ladder_given lesson)
  file(GLOB peers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/peers/*.cpp ${PROJECT_SOURCE_DIR}/tests/${lesson}/peers/*.cu)
  ladder_worker(given/${lesson}/baseline ${lesson} cpu baseline ${PROJECT_SOURCE_DIR}/lessons/${lesson}/baseline.cpp)
  foreach(file ${peers})
    get_filename_component(name ${file} NAME_WE)
    if(name IN_LIST lesson_peers_left_out)
      continue()
    endif()
    ladder_backends_of(${file} backends)
    list(REMOVE_ITEM backends observed ${LADDER_SANITIZED})  # a peer is timed only
    if(name IN_LIST lesson_peers_of_gpu)
      list(REMOVE_ITEM backends executor)  # which has a cuBLAS of its own, and no other library of the toolkit
    endif()
    foreach(backend ${backends})
      ladder_worker(given/${lesson}/${name} ${lesson} ${backend} library ${file})
    endforeach()
  endforeach()
endfunction()

# The edits of solutions in tests/NN-name/<kind>/*.<kind> become workers, on the back ends of the solution but those named
# after `lesson`.
function(ladder_edits kind lesson)
  file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/${kind}/*.${kind})
  foreach(list ${lists})
    get_filename_component(step ${list} NAME_WE)
    string(REGEX REPLACE "^[a-z][0-9]+_" "" idea ${step})
    file(GLOB solution ${PROJECT_SOURCE_DIR}/solutions/${lesson}/${step}.c*)
    if(NOT solution)
      if(EXISTS ${PROJECT_SOURCE_DIR}/solutions)
        message(FATAL_ERROR "${list}: there is no solution ${step}")
      endif()
      continue()  # a student's copy
    endif()
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    get_filename_component(extension ${solution} EXT)
    ladder_backends_of(${solution} backends)
    if(ARGN)
      list(REMOVE_ITEM backends ${ARGN})
    endif()
    file(STRINGS ${list} names REGEX "^mutant ")
    foreach(line ${names})
      string(REGEX REPLACE "^mutant +" "" edit "${line}")
      string(STRIP "${edit}" edit)
      set(source ${CMAKE_BINARY_DIR}/generated/${kind}/${lesson}/${step}~${edit}${extension})
      add_custom_command(OUTPUT ${source} DEPENDS ${solution} ${list} cut
        COMMAND cut mutant ${solution} ${list} ${edit} -o ${source} COMMENT "" VERBATIM)
      foreach(backend ${backends})
        ladder_worker(${kind}/${lesson}/${step}~${edit} ${lesson} ${backend} ${idea} ${source})
      endforeach()
    endforeach()
  endforeach()
endfunction()

# Whole steps as students write them, in tests/NN-name/attempts/<step>.<name>.cu or .cpp, each with the verdict and the words it must get.
function(ladder_attempts lesson)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/attempts/*.cu ${PROJECT_SOURCE_DIR}/tests/${lesson}/attempts/*.cpp)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WLE)
    string(REPLACE "." "~" name ${name})
    string(REGEX REPLACE "^[a-z][0-9]+_([^~]*)~.*" "\\1" idea ${name})
    ladder_backends_of(${file} backends)
    list(REMOVE_ITEM backends cuda)  # the executor says the same everywhere
    foreach(backend ${backends})
      ladder_worker(attempts/${lesson}/${name} ${lesson} ${backend} ${idea} ${file})
    endforeach()
    if(file MATCHES "\\.cu$")
      ladder_lint(attempts/${lesson}/${name} ${lesson} ${file})
    endif()
  endforeach()
endfunction()

# What the verbs reproduce and exam run: solutions with another constant, and further libraries, which need a GPU.
function(ladder_variants lesson)
  ladder_edits(variants ${lesson} ${LADDER_SANITIZED})
  set(folder ${PROJECT_SOURCE_DIR}/tests/${lesson}/variants)
  file(GLOB libraries CONFIGURE_DEPENDS ${folder}/*.cu)
  foreach(file ${libraries})
    get_filename_component(name ${file} NAME_WE)
    ladder_worker(variants/${lesson}/${name} ${lesson} cuda library ${file})
  endforeach()
endfunction()

# Measurements on a GPU that no verb makes: tests/NN-name/benches/*.cu, programs beside the lesson's CUDA solutions, built by
# the target benches/NN-name/<name>. Without a GPU nvcc compiles them all the same.
function(ladder_benches lesson)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/benches/*.cu)
  file(GLOB solutions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/solutions/${lesson}/*.cu)
  if(NOT LADDER_NVCC OR NOT LADDER_CUPTI_LIBRARY)
    return()
  endif()
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    ladder_nvcc_object(benches/${lesson}/${name} ${lesson} ${file} objects)
    foreach(solution ${solutions})
      get_filename_component(step ${solution} NAME_WE)
      list(APPEND objects ${CMAKE_BINARY_DIR}/nvcc/solutions/${lesson}/${step}.o)
    endforeach()
    add_executable(benches-${lesson}-${name} EXCLUDE_FROM_ALL ${objects})
    set_target_properties(benches-${lesson}-${name} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benches/${lesson})
    target_link_libraries(benches-${lesson}-${name} PRIVATE ${LADDER_CUDA_LIBRARIES} ${LADDER_CUPTI_LIBRARY} ${LADDER_CUBLAS} ${lesson_libraries_cuda}
      ${lesson_peer_libraries_cuda})
    if(TARGET OpenCL::OpenCL)  # a bench may include an OpenCL solution
      target_link_libraries(benches-${lesson}-${name} PRIVATE OpenCL::OpenCL)
    endif()
  endforeach()
endfunction()

# The program that prints the lesson's table, and the one that judges its steps.
function(ladder_table_and_judge lesson)
  string(REGEX REPLACE "^[0-9]+-" "" header ${lesson})
  string(REPLACE "-" "_" space ${header})
  set(main ${CMAKE_BINARY_DIR}/generated/tables/${lesson}.cpp)
  file(GLOB answers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/answers.hpp)  # the values of the lesson's pages
  set(answers_include "")
  set(answers_call "")
  if(answers)
    set(answers_include "#include \"${answers}\"\n")
    set(answers_call ", ${space}::test::answers()")
  endif()
  file(CONFIGURE OUTPUT ${main} CONTENT
"#include \"${space}.hpp\"
#include \"common/lesson/complete.hpp\"
#include \"common/lesson/table_json.hpp\"
${answers_include}static_assert(ladder::complete<${space}::steps>);
int main() { return ladder::print_table<${space}::Problem>(${space}::lesson${answers_call}); }
")
  file(GLOB given CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lessons/${lesson}/given/*.cpp)  # that a lesson's problems are made of
  set(amounts ${given})  # what the table itself calls
  list(FILTER amounts INCLUDE REGEX "/amounts[.]cpp$")
  if(amounts)
    list(REMOVE_ITEM given ${amounts})
    add_library(amounts-${lesson} OBJECT EXCLUDE_FROM_ALL ${amounts})
    target_link_libraries(amounts-${lesson} PRIVATE ladder-options)
    target_include_directories(amounts-${lesson} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson})
    set(amounts $<TARGET_OBJECTS:amounts-${lesson}>)
  endif()
  add_executable(table-${lesson} EXCLUDE_FROM_ALL ${main} ${amounts})
  set_target_properties(table-${lesson} PROPERTIES OUTPUT_NAME ${lesson} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tables)
  target_link_libraries(table-${lesson} PRIVATE ladder-options)
  target_include_directories(table-${lesson} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson})

  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${lesson}/*.cpp)
  if(tests)
    # What only puts cases and tables together is made to be built soon; what makes problems and checks results, to run fast.
    set(words ${tests})
    list(FILTER words INCLUDE REGEX "(_test|reproduce|explain|records|compared_products|transform_kernels|timeline)[.]cpp$")
    list(REMOVE_ITEM tests ${words})
    add_library(words-${lesson} OBJECT EXCLUDE_FROM_ALL ${words})
    target_compile_options(words-${lesson} PRIVATE -O1)
    target_precompile_headers(words-${lesson} REUSE_FROM ladder-judge)
    ladder_together(words-${lesson} 4)
    add_executable(judge-${lesson} EXCLUDE_FROM_ALL ${tests} ${given} ${amounts} $<TARGET_OBJECTS:words-${lesson}>)
    set_target_properties(judge-${lesson} PROPERTIES OUTPUT_NAME ${lesson} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/judges)
    target_link_libraries(judge-${lesson} PRIVATE ladder-judge-main)
    foreach(part judge-${lesson} words-${lesson})
      target_link_libraries(${part} PRIVATE ladder-judge ladder-peer-libraries-cpu ${lesson_libraries_judge})
      target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson} ${PROJECT_SOURCE_DIR}/tests/${lesson})
      target_include_directories(${part} SYSTEM PRIVATE ${lesson_peer_include} ${lesson_judge_include})
    endforeach()
  endif()
endfunction()

function(add_lesson lesson)
  include(${PROJECT_SOURCE_DIR}/lessons/${lesson}/given/libraries.cmake OPTIONAL)  # sets lesson_…
  ladder_table_and_judge(${lesson})
  ladder_given(${lesson})
  ladder_tree(lessons ${lesson})
  ladder_tree(solutions ${lesson})
  ladder_edits(mutants ${lesson})
  ladder_attempts(${lesson})
  ladder_variants(${lesson})
  ladder_benches(${lesson})
endfunction()
