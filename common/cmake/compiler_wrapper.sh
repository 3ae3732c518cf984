# compiler_wrapper.sh COMPILER [LAUNCHER] REPLACED ARGUMENT…: runs COMPILER, by the launcher if there is one, with the arguments
# that were meant for REPLACED.
compiler=$1 replaced=$2
shift 2
# clang would begin a precompiled header with the last one of that name (-include X reads X.gch).
case " $* " in
  *' -x c++-header '*)
    before=''
    for word; do
      [ "$before" != -o ] || rm -f "$word"
      before=$word
    done
    ;;
esac
# Large pages for its memory, which faults in page by page otherwise: a tenth of a compilation on some virtual machines.
export GLIBC_TUNABLES="${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}"
if [ -f "$1" ] && [ -x "$1" ]; then # a program: what was named before it is its launcher
  shift
  exec "$replaced" "$compiler" "$@"
fi
exec "$compiler" "$@"
