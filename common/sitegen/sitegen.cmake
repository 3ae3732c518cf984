# The pages of this repository and its stored runs: of ladder-dev.

set(site_dir ${PROJECT_SOURCE_DIR}/common/sitegen)
add_library(ladder-report STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures/curves_figure.cpp ${report_dir}/figures/heat_figure.cpp
  ${report_dir}/figures/drawing_figures.cpp ${report_dir}/figures/drawing_steps_figure.cpp
  ${report_dir}/figures/machine_figures.cpp ${report_dir}/figures/memory_figure.cpp
  ${report_dir}/figures/reproduction_figures.cpp ${report_dir}/figures/spy_figure.cpp
  ${report_dir}/figures/stacked_figure.cpp ${report_dir}/html/code_html.cpp ${report_dir}/results/comparison.cpp
  ${report_dir}/results/hardware_comparison.cpp ${report_dir}/results/top_profile.cpp
  ${site_dir}/drawings/access_drawings.cpp ${site_dir}/drawings/cell_drawings.cpp
  ${site_dir}/drawings/time_drawings.cpp ${site_dir}/drawings/tree_drawings.cpp
  ${site_dir}/counted_code.cpp ${site_dir}/first_kernel.cpp ${site_dir}/layers.cpp ${site_dir}/pages/page_costs.cpp ${site_dir}/pages/page_drawings.cpp ${site_dir}/pages/page_counters.cpp ${site_dir}/pages/page_form.cpp
  ${site_dir}/pages/page_gpu_times.cpp ${site_dir}/pages/page_hardware_comparison.cpp ${site_dir}/pages/page_leaderboard.cpp
  ${site_dir}/pages/page_machine.cpp ${site_dir}/pages/page_measured.cpp ${site_dir}/pages/page_on_gpu.cpp ${site_dir}/pages/page_paper.cpp ${site_dir}/pages/page_parts.cpp
  ${site_dir}/pages/page_reproduce.cpp ${site_dir}/pages/page_roofline.cpp ${site_dir}/pages/page_suites.cpp
  ${site_dir}/pages/page_syllabus.cpp ${site_dir}/pages/page_tables.cpp ${site_dir}/pages/page_tests.cpp ${site_dir}/pages/page_values.cpp
  ${site_dir}/pages.cpp ${site_dir}/prerequisites.cpp ${site_dir}/redrawn_figures.cpp ${site_dir}/site_check.cpp ${site_dir}/site_text.cpp
  ${site_dir}/site/glossary_sections.cpp ${site_dir}/site/spoilers.cpp
  ${site_dir}/slides/inline_html.cpp ${site_dir}/slides/lesson_page.cpp
  ${site_dir}/slides/slides_page.cpp ${site_dir}/slides/slides.cpp ${site_dir}/test_promises.cpp ${site_dir}/merge_run.cpp)
target_link_libraries(ladder-report PUBLIC ladder-figures ladder-cut ladder-digest)
ladder_together(ladder-report 20)
set_source_files_properties(${site_dir}/redrawn_figures.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
