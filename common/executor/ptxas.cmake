# Compiles a CUDA source by nvcc for the report of ptxas on its kernels, and writes that as a source of the observed program.
# cmake -DNVCC=<nvcc and its flags> -DSOURCE= -DOUTPUT= [-DKIND=] -P ptxas.cmake
# KIND: nvcc's output is kept in <OUTPUT>.made, the device's side (cubin) or an object of both sides (o).
# A source that nvcc refuses is not an error here: nvcc's messages go to <OUTPUT>.refused, for the check that reports them
# (common/cmake/nvcc_accepted.sh). Its record then has no registers.
# nvcc's own -MD preprocesses the source once more, for the host: a fifth of what a small one takes. What the device's side reads is
# listed while that is preprocessed.
set(mode -cubin -Xcompiler -MD,-MF,${OUTPUT}.d,-MT,${OUTPUT})
if(KIND STREQUAL "o")
  set(mode -c -MD -MF ${OUTPUT}.d -MT ${OUTPUT})
endif()
file(REMOVE ${OUTPUT}.refused ${OUTPUT}.made)
execute_process(COMMAND ${NVCC} ${mode} -Xptxas -v -o ${OUTPUT}.made ${SOURCE}
  OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE failed)
if(failed)
  file(WRITE ${OUTPUT}.refused "${text}\n")
  set(text "")
  file(WRITE ${OUTPUT}.d "${OUTPUT}: ${SOURCE}\n")
elseif(NOT KIND)
  file(REMOVE ${OUTPUT}.made)
endif()
string(REGEX MATCHALL "[^\n]*(Compiling entry|stack frame|registers)[^\n]*\n" lines "${text}")
string(JOIN "" lines ${lines})
# Declared as in observe/counters/ptxas_info.hpp, whose own includes would take half a second for each step and mutant.
file(WRITE ${OUTPUT} "namespace ladder::executor { int add_compiler_report(const char*); }
static const int reported = ladder::executor::add_compiler_report(R\"ptxas(${lines})ptxas\");
")
