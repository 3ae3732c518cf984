#pragma once
/// @file
/// The verbs of image.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb image: an image of a container in which everything is built. @return the exit status
int image(Context& context);

/// The options of `image`.
void add_image_options(CLI::App& app, Options& o, Typed& typed);

/// `image prebuild`: builds in the build folder what an image has. @return the exit status
int prebuild_here(Context& context);

/// The options of `image prebuild`.
void add_image_prebuild_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
