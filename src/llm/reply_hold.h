#pragma once

#include <string>

#include "chat/generation_mode.h"
#include "llm/capabilities.h"

namespace pedro {

/// What holds a reply to being a call.
enum class ReplyHold {
  kNothing,
  kGrammar,  ///< our grammar
  kSchema,   ///< our schema, made a grammar by the server
  kTools,    ///< the server's own: it was told that a tool has to be called
};

struct HoldChoice {
  ReplyHold hold = ReplyHold::kNothing;
  std::string notice;  ///< what was asked for and is not there; "" where all is
};

/// What is next to `mode` of what a server can do. `has_tools`: it takes declared tools and can be
/// told to call one.
HoldChoice choose_hold(GenerationMode mode, const Capabilities& can, bool has_tools);

}  // namespace pedro
