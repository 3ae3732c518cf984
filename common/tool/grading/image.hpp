#pragma once
/// @file
/// The verbs of image.cpp.

namespace ladder {

struct Context;

/// The verb image: an image of a container in which everything is built. @return the exit status
int image(Context& context);

/// `image prebuild`: builds in the build folder what an image has. @return the exit status
int prebuild_here(Context& context);

}  // namespace ladder
