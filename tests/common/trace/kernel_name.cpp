// Names of kernels.

#include "common/base/kernel_name.hpp"

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

TEST_CASE("kernel_name: brackets in parameters and in template arguments") {
  CHECK(ladder::without_parameters("void apply(void (*)(int), double*)") == "apply");
  CHECK(ladder::without_parameters("void sum<(Mode)1>(int)") == "sum<(Mode)1>");
}
