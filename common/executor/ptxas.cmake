# Compiles a CUDA source by nvcc for what ptxas says of its kernels, and writes that as a source of the observed program.
# cmake -DNVCC= -DARCHITECTURE= -DSOURCE= -DOUTPUT= -DFLAGS= -P ptxas.cmake
# A source that nvcc refuses is no error here: others say so. Its record does not know registers then.
execute_process(
  COMMAND ${NVCC} -std=c++20 -O3 -arch=${ARCHITECTURE} --expt-relaxed-constexpr ${FLAGS} -MD -MF ${OUTPUT}.d -MT ${OUTPUT}
          -cubin -Xptxas -v -o ${OUTPUT}.cubin ${SOURCE}
  OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE failed)
file(REMOVE ${OUTPUT}.cubin)
if(failed)
  set(text "")
  file(WRITE ${OUTPUT}.d "${OUTPUT}: ${SOURCE}\n")
endif()
string(REGEX MATCHALL "[^\n]*(Compiling entry|stack frame|registers)[^\n]*\n" lines "${text}")
string(JOIN "" lines ${lines})
# Declared as in observe/compiled.hpp, whose own includes would take half a second for each step and mutant.
file(WRITE ${OUTPUT} "namespace ladder::executor { int add_compiler_report(const char*); }
static const int reported = ladder::executor::add_compiler_report(R\"ptxas(${lines})ptxas\");
")
