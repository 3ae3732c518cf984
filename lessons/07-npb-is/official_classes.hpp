#pragma once
/// @file
/// NPB's classes of IS.

namespace npb_is {

/// A class of NPB: 2^size keys below 2^key_bits, and the check that NPB makes in each of its 10 iterations.
/// The rank of the key at position test_index[i] is test_rank[i] plus, or minus, what `shift` says.
struct OfficialClass {
  const char* name;
  int size, key_bits;
  long long test_index[5], test_rank[5];
  /// In iteration it the rank of key i is larger by sign[i] * (it - offset[i]).
  int sign[5], offset[5];
};
constexpr OfficialClass official_classes[] = {
    {"S",
     16,
     11,
     {48427, 17148, 23627, 62548, 4431},
     {0, 18, 346, 64917, 65463},
     {1, 1, 1, -1, -1},
     {0, 0, 0, 0, 0}},
    {"W",
     20,
     16,
     {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018},
     {1, 1, -1, -1, -1},
     {2, 2, 0, 0, 0}},
    {"A",
     23,
     19,
     {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264},
     {1, 1, 1, -1, -1},
     {1, 1, 1, 1, 1}},
    {"B",
     25,
     21,
     {41869, 812306, 5102857, 18232239, 26860214},
     {33422937, 10244, 59149, 33135281, 99},
     {-1, 1, 1, -1, 1},
     {0, 0, 0, 0, 0}},
    {"C",
     27,
     23,
     {44172927, 72999161, 74326391, 129606274, 21736814},
     {61147, 882988, 266290, 133997595, 133525895},
     {1, 1, 1, -1, -1},
     {0, 0, 0, 0, 0}},
    {"D",
     31,
     27,
     {1317351170, 995930646, 1157283250, 1503301535, 1453734525},
     {1, 36538729, 1978098519, 2145192618, 2147425337},
     {1, 1, -1, -1, -1},
     {0, 0, 0, 0, 0}},
};

}  // namespace npb_is
