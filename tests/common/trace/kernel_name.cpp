// A kernel is called what its source calls it, whichever compiler made its name.
// Guards: common/trace/README.md

#include "common/base/text/kernel_name.hpp"

#include "tests/common/catch.hpp"

TEST_CASE("kernel_name: what the source says, without result, parameters and unnamed namespaces") {
  CHECK(ladder::kernel_name("_ZN5gauss12_GLOBAL__N_19eliminateEiiPdmS1_") == "gauss::eliminate");
  // nvcc puts the file's name into that of its unnamed namespace.
  CHECK(ladder::kernel_name(
            "_ZN5gauss60_GLOBAL__N__0badcafe_27_g5_parallel_substitution_cu_0badcafe16substitute_"
            "blockEiiPKdmPd") == "gauss::substitute_block");
  CHECK(ladder::kernel_name("_Z5twicePf") == "twice");
  CHECK(ladder::kernel_name("_Z5tiledILi32EEvPKd") == "tiled<32>");
  CHECK(ladder::kernel_name("not mangled") == "not mangled");
}

TEST_CASE("kernel_name: a mutant's namespace, in a program of several, is not shown, wherever it stands") {
  CHECK(ladder::kernel_name("_ZN17ladder_mutant_0075dgemm12_GLOBAL__N_18multiplyILi32EEEvv") ==
        "dgemm::multiply<32>");
  CHECK(ladder::demangled("_Z3runIN17ladder_mutant_0125dgemm4TileEEvS2_") ==
        "void run<dgemm::Tile>(dgemm::Tile)");
  CHECK(ladder::without_mutant_space("ladder_mutant_7::x, ladder_mutant_") ==
        "ladder_mutant_7::x, ladder_mutant_");
}

TEST_CASE("kernel_name: brackets in parameters and in template arguments") {
  CHECK(ladder::without_parameters("void apply(void (*)(int), double*)") == "apply");
  CHECK(ladder::without_parameters("void sum<(Mode)1>(int)") == "sum<(Mode)1>");
}
