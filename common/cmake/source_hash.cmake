# cmake -DSOURCE=… -DOUTPUT=… -P source_hash.cmake
# Writes the hash of a step's source, by which its worker says what it was built of.
file(SHA256 ${SOURCE} hash)
file(WRITE ${OUTPUT} "extern const char ladder_source_hash[];
const char ladder_source_hash[] = \"${hash}\";
")
