# Plans, records and results as structures: what tool, judge and reports exchange.

set(model_dir ${PROJECT_SOURCE_DIR}/common/model)
add_library(ladder-model STATIC EXCLUDE_FROM_ALL ${model_dir}/plan_json.cpp ${model_dir}/result_json.cpp
  ${model_dir}/document_json.cpp ${model_dir}/grade_json.cpp ${model_dir}/exam_json.cpp
  ${model_dir}/gradescope_json.cpp ${model_dir}/student_json.cpp)
target_link_libraries(ladder-model PUBLIC ladder-rungs ladder-options nlohmann_json::nlohmann_json fmt::fmt)
target_compile_options(ladder-model PRIVATE -O0)
ladder_together(ladder-model 8)
ladder_sanitize(ladder-model)
ladder_built_soon(ladder-model)
