# cmake -DSOURCE=… -DSPACE=… -DFUNCTION=… -DOUTPUT=… -P source_hash.cmake
# Writes the hash of a step's source, by which its worker says what it was built of, and the function that its lesson's main calls.
# With a harness two workers of a step are built at once, and both write this file: none may see it half written.
file(SHA256 ${SOURCE} hash)
string(RANDOM LENGTH 8 mark)
file(WRITE ${OUTPUT}.${mark} "extern const char ladder_source_hash[];
const char ladder_source_hash[] = \"${hash}\";
namespace ${SPACE} {
struct Problem;
void ${FUNCTION}(const Problem&);
extern void (*const ladder_step)(const Problem&);
void (*const ladder_step)(const Problem&) = ${FUNCTION};
}
")
file(RENAME ${OUTPUT}.${mark} ${OUTPUT})
