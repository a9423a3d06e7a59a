#pragma once

#include <string>

#include "command.h"
#include "config/load.h"

namespace pedro {

/// The model's server, as far as it answered.
struct SeenServer {
  bool answers = false;
  std::string place;  ///< for the user
  std::string model;  ///< "" if several can be chosen
  long long window_tokens = 0;
  bool takes_images = false;  ///< one of its models does; only if asked
};

/// Looks at the configured server, or at the usual ports if none is configured. Loads no model.
/// Each answer may take 0.06 s, or 1 s with `asks_for_images`. Asks servers of other machines only
/// about images.
SeenServer see_server(CommandContext& context, LoadedConfig config, bool asks_for_images = false);

}  // namespace pedro
