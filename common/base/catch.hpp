#pragma once
/// @file
/// Catch2, 2.13 (Debian 12) or 3.x (Ubuntu 24.04), under one name.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
