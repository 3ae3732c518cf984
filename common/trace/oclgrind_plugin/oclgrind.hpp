#pragma once
/// @file
/// Oclgrind's headers, which were not written for our warnings.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <oclgrind/Plugin.h>
// Plugin.h comes first: the others use what it includes.
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>
#pragma GCC diagnostic pop
