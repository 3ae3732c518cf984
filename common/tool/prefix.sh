# shellcheck shell=sh disable=SC2154,SC2034
# Part of ../../ladder: makes the Debian packages unpacked in LADDER_PREFIX usable next to those of the system.
# Uses and extends: includes, libraries, vendors, PATH.

[ -d "$LADDER_PREFIX/usr" ] || die "LADDER_PREFIX=$LADDER_PREFIX has no usr/: unpack packages there (dpkg -x)"
LADDER_PREFIX=$(cd -- "$LADDER_PREFIX" && pwd -P)
case $LADDER_PREFIX in *' '*) die "LADDER_PREFIX=$LADDER_PREFIX: Open MPI's compiler knows no paths with spaces" ;; esac
usr=$LADDER_PREFIX/usr
here=$LADDER_BUILD/prefix # what an installation would have set up outside of the packages' own files
mkdir -p "$here/bin" "$here/vendors"

# Programs: mpirun is mpirun.openmpi until an installation sets the alternative.
for program in "$usr"/bin/*.openmpi; do
  name=${program##*/}
  [ ! -e "$program" ] || ln -sf "$program" "$here/bin/${name%.openmpi}"
done
PATH=$here/bin:$usr/bin:$LADDER_PREFIX/usr/local/cuda/bin:$PATH

# Headers and libraries, for the compiler, CMake and the loader. OpenBLAS keeps its own in a folder.
triplet=$(uname -m)-linux-gnu
blas_headers=$usr/include/$triplet/openblas-pthread
blas=$usr/lib/$triplet/openblas-pthread
prefix_libraries=$usr/lib/$triplet:$usr/lib:$LADDER_PREFIX/lib/$triplet:$blas
CPLUS_INCLUDE_PATH=$usr/include:$usr/include/$triplet:$blas_headers${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}
C_INCLUDE_PATH=$CPLUS_INCLUDE_PATH
LIBRARY_PATH=$prefix_libraries${LIBRARY_PATH:+:$LIBRARY_PATH}
LD_LIBRARY_PATH=$prefix_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CMAKE_PREFIX_PATH=$usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
CMAKE_INCLUDE_PATH=$blas_headers:$usr/include/$triplet${CMAKE_INCLUDE_PATH:+:$CMAKE_INCLUDE_PATH}
CMAKE_LIBRARY_PATH=$prefix_libraries${CMAKE_LIBRARY_PATH:+:$CMAKE_LIBRARY_PATH}
export LADDER_PREFIX CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH
export CMAKE_PREFIX_PATH CMAKE_INCLUDE_PATH CMAKE_LIBRARY_PATH
includes=$CPLUS_INCLUDE_PATH:$includes
libraries=$LIBRARY_PATH:$libraries

# Open MPI asks these where it was moved to; drivers of networks that are not unpacked are no news.
if [ -e "$usr/bin/mpirun.openmpi" ]; then
  export OPAL_PREFIX="$usr" OMPI_MCA_mca_base_component_show_load_errors=0
  export PMIX_MCA_pcompress_base_silence_warning=1
fi

# Oclgrind's library is looked for where packages put it.
oclgrind=$usr/lib/oclgrind/liboclgrind-rt.so
if [ -e "$oclgrind" ] && [ -z "${LADDER_OCLGRIND-}" ]; then export LADDER_OCLGRIND="$oclgrind"; fi

# OpenCL: the loader reads one folder of vendors, so this one gets the system's and the prefix's. CUDA brings a loader of its
# own, which finds none in such a folder, and may come first in the system's order: Debian's is put before it.
for file in "$usr/lib/$triplet/libOpenCL.so.1" "/usr/lib/$triplet/libOpenCL.so.1"; do
  [ -e "$file" ] || continue
  mkdir -p "$here/lib"
  ln -sf "$file" "$here/lib/libOpenCL.so.1"
  LD_LIBRARY_PATH=$here/lib:$LD_LIBRARY_PATH
  break
done
for file in "$vendors"/*.icd "$LADDER_PREFIX"/etc/OpenCL/vendors/*.icd; do
  if [ -e "$file" ] && [ "${file%/*}" != "$here/vendors" ]; then cp "$file" "$here/vendors/"; fi # a ladder may start another
done
OCL_ICD_VENDORS=$here/vendors
vendors=$OCL_ICD_VENDORS
export OCL_ICD_VENDORS
