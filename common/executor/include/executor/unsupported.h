#pragma once
/// @file
/// What the executor lacks, by name: using it is an error at the line that uses it.

#include <stddef.h>

#define LADDER_EXECUTOR_NONE(WHAT) __attribute__((unavailable("the executor has no " WHAT)))

namespace ladder::executor {

// The rewriter inserts these calls instead of what they name. An error where code remains that reaches one.
__attribute__((error("the executor has no inline assembly (PTX): it needs a GPU"))) void
missing_inline_assembly();
__attribute__((error("the executor has no dynamic parallelism: a kernel cannot launch kernels"))) void
missing_dynamic_parallelism();

}  // namespace ladder::executor

// ---------------------------------------------------------------- textures and surfaces

#define LADDER_EXECUTOR_TEXTURES LADDER_EXECUTOR_NONE("textures: read global memory")
#define LADDER_EXECUTOR_SURFACES LADDER_EXECUTOR_NONE("surfaces: write global memory")
struct LADDER_EXECUTOR_TEXTURES cudaTextureDesc;
struct LADDER_EXECUTOR_TEXTURES cudaResourceDesc;
struct LADDER_EXECUTOR_TEXTURES cudaResourceViewDesc;
struct LADDER_EXECUTOR_TEXTURES cudaChannelFormatDesc;
using cudaTextureObject_t LADDER_EXECUTOR_TEXTURES = unsigned long long;
using cudaSurfaceObject_t LADDER_EXECUTOR_SURFACES = unsigned long long;

#define LADDER_EXECUTOR_TEXTURE_FUNCTION(NAME) \
  template <class T = int, class... Anything>  \
  LADDER_EXECUTOR_TEXTURES T NAME(const Anything&...);
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex1D)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex2D)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex3D)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex1Dfetch)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex1DLayered)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex2DLayered)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex2DLod)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex2DGrad)
LADDER_EXECUTOR_TEXTURE_FUNCTION(tex2Dgather)
LADDER_EXECUTOR_TEXTURE_FUNCTION(texCubemap)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaBindTexture)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaBindTexture2D)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaBindTextureToArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaUnbindTexture)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaCreateTextureObject)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaDestroyTextureObject)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaCreateChannelDesc)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaMallocArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaMalloc3DArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaFreeArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaMemcpyToArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaMemcpy2DToArray)
LADDER_EXECUTOR_TEXTURE_FUNCTION(cudaMemcpy2DFromArray)
#undef LADDER_EXECUTOR_TEXTURE_FUNCTION

#define LADDER_EXECUTOR_SURFACE_FUNCTION(NAME) \
  template <class T = int, class... Anything>  \
  LADDER_EXECUTOR_SURFACES T NAME(const Anything&...);
LADDER_EXECUTOR_SURFACE_FUNCTION(surf1Dread)
LADDER_EXECUTOR_SURFACE_FUNCTION(surf2Dread)
LADDER_EXECUTOR_SURFACE_FUNCTION(surf3Dread)
LADDER_EXECUTOR_SURFACE_FUNCTION(surf1Dwrite)
LADDER_EXECUTOR_SURFACE_FUNCTION(surf2Dwrite)
LADDER_EXECUTOR_SURFACE_FUNCTION(surf3Dwrite)
LADDER_EXECUTOR_SURFACE_FUNCTION(cudaCreateSurfaceObject)
LADDER_EXECUTOR_SURFACE_FUNCTION(cudaDestroySurfaceObject)
#undef LADDER_EXECUTOR_SURFACE_FUNCTION

/// The rewriter writes it for `texture<...> name;`.
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
namespace ladder::executor {
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct LADDER_EXECUTOR_NONE(
    "texture references, nor has CUDA since version 12: read global memory, through a const pointer")
    TextureReference {};
}  // namespace ladder::executor

// ---------------------------------------------------------------- warp functions without a mask

#define LADDER_EXECUTOR_WITHOUT_MASK(NAME) \
  template <class... Anything>                                                                              \
  LADDER_EXECUTOR_NONE(#NAME "(), nor have GPUs since Volta: use " #NAME                                    \
                             "_sync(), whose first argument is the mask of the lanes, 0xffffffff for all")  \
  int NAME(const Anything&...);
LADDER_EXECUTOR_WITHOUT_MASK(__shfl)
LADDER_EXECUTOR_WITHOUT_MASK(__shfl_up)
LADDER_EXECUTOR_WITHOUT_MASK(__shfl_down)
LADDER_EXECUTOR_WITHOUT_MASK(__shfl_xor)
LADDER_EXECUTOR_WITHOUT_MASK(__ballot)
LADDER_EXECUTOR_WITHOUT_MASK(__any)
LADDER_EXECUTOR_WITHOUT_MASK(__all)
#undef LADDER_EXECUTOR_WITHOUT_MASK

// ---------------------------------------------------------------- clusters

#define LADDER_EXECUTOR_CLUSTERS LADDER_EXECUTOR_NONE("clusters of blocks")
/// A kernel with clusters cannot be launched.
#define __cluster_dims__(...) LADDER_EXECUTOR_CLUSTERS
#define __block_size__(...) LADDER_EXECUTOR_CLUSTERS
namespace cooperative_groups {
struct LADDER_EXECUTOR_CLUSTERS cluster_group;
struct LADDER_EXECUTOR_NONE("groups over several devices") multi_grid_group;
LADDER_EXECUTOR_CLUSTERS void this_cluster();
LADDER_EXECUTOR_NONE("groups over several devices") void this_multi_grid();
}  // namespace cooperative_groups

// ---------------------------------------------------------------- other processes, graphics, the driver's
// own

#define LADDER_EXECUTOR_OTHERS(NAME, WHAT) \
  template <class... Anything>             \
  LADDER_EXECUTOR_NONE(WHAT)               \
  cudaError_t NAME(const Anything&...);
LADDER_EXECUTOR_OTHERS(cudaIpcGetMemHandle, "memory that processes share")
LADDER_EXECUTOR_OTHERS(cudaIpcOpenMemHandle, "memory that processes share")
LADDER_EXECUTOR_OTHERS(cudaIpcGetEventHandle, "events that processes share")
LADDER_EXECUTOR_OTHERS(cudaIpcOpenEventHandle, "events that processes share")
LADDER_EXECUTOR_OTHERS(cudaImportExternalMemory, "memory of other interfaces")
LADDER_EXECUTOR_OTHERS(cudaImportExternalSemaphore, "semaphores of other interfaces")
LADDER_EXECUTOR_OTHERS(cudaGraphicsMapResources, "graphics")
LADDER_EXECUTOR_OTHERS(cudaGetDriverEntryPoint, "entry points of the driver")
LADDER_EXECUTOR_OTHERS(cudaGetDriverEntryPointByVersion, "entry points of the driver")
LADDER_EXECUTOR_OTHERS(cudaLaunchCooperativeKernelMultiDevice, "launches on several devices")
LADDER_EXECUTOR_OTHERS(cudaGraphAddEventRecordNode, "graph nodes of events")
LADDER_EXECUTOR_OTHERS(cudaGraphAddEventWaitNode, "graph nodes of events")
LADDER_EXECUTOR_OTHERS(cudaGraphAddNode, "nodes by cudaGraphAddNode: use cudaGraphAddKernelNode and its like")
#undef LADDER_EXECUTOR_OTHERS
