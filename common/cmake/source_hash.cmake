# cmake -DSOURCE=… -DOUTPUT=… -P source_hash.cmake
# Writes the hash of a step's source, by which its worker says what it was built of.
# With a harness two workers of a step are built at once, and both write this file: none may see it half written.
file(SHA256 ${SOURCE} hash)
string(RANDOM LENGTH 8 mark)
file(WRITE ${OUTPUT}.${mark} "extern const char ladder_source_hash[];
const char ladder_source_hash[] = \"${hash}\";
")
file(RENAME ${OUTPUT}.${mark} ${OUTPUT})
