// See executor/unobserved_begin.h.
#undef LADDER_EXECUTOR_UNOBSERVED
