# in_place_of.sh COMPILER [LAUNCHER] REPLACED ARGUMENT…: runs COMPILER, by the launcher if there is one, with the arguments
# that were meant for REPLACED.
compiler=$1 replaced=$2
shift 2
case $replaced in
  *ccache) launcher=$replaced; shift; exec "$launcher" "$compiler" "$@" ;;
  *) exec "$compiler" "$@" ;;
esac
