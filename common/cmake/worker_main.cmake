# cmake -DSOURCE=… -DHEADER=… -DSPACE=… -DFUNCTION=… -DOUTPUT=… -P worker_main.cmake
# Writes the main program that binds one step to the worker library, with the hash of the step's source.
file(SHA256 ${SOURCE} hash)
file(WRITE ${OUTPUT} "#include \"${HEADER}\"
#include \"common/judge/worker.hpp\"
namespace ${SPACE} { void ${FUNCTION}(const Problem&); }
int main(int argc, char** argv) { return ladder::worker_main<${SPACE}::Problem>(argc, argv, ${SPACE}::${FUNCTION}, \"${hash}\"); }
")
