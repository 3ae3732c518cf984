#pragma once
/// @file
/// Marks for a profiler's time line: nobody looks at them here.

#include <stdint.h>

struct nvtxEventAttributes_t {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  union {
    const char* ascii;
    const wchar_t* unicode;
  } message;
};
using nvtxRangeId_t = uint64_t;
struct nvtxDomainRegistration_st;
using nvtxDomainHandle_t = nvtxDomainRegistration_st*;

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE (static_cast<uint16_t>(sizeof(nvtxEventAttributes_t)))
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1

inline int nvtxRangePushA(const char*) {
  return 0;
}
inline int nvtxRangePush(const char*) {
  return 0;
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t*) {
  return 0;
}
inline int nvtxRangePop() {
  return 0;
}
inline nvtxRangeId_t nvtxRangeStartA(const char*) {
  return 0;
}
inline nvtxRangeId_t nvtxRangeStart(const char*) {
  return 0;
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) {
  return 0;
}
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMarkA(const char*) {}
inline void nvtxMark(const char*) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t*) {}
inline void nvtxNameOsThreadA(uint32_t, const char*) {}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char*) {
  return nullptr;
}
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return 0;
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t) {
  return 0;
}
