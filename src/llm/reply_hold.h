#pragma once

#include <string>

#include "chat/generation_mode.h"
#include "llm/capabilities.h"

namespace pedro {

/// The mechanism that constrains a reply to a call.
enum class ReplyHold {
  kNothing,
  kGrammar,  ///< this program's grammar
  kSchema,   ///< this program's schema, converted to a grammar by the server
  kTools,    ///< the server's own mechanism: the request demands a tool call
};

struct HoldChoice {
  ReplyHold hold = ReplyHold::kNothing;
  std::string notice;  ///< the requested and missing mechanism; "" if available
};

/// Chooses the supported mechanism closest to `mode`. `has_tools`: the server accepts declared
/// tools and can be forced to call one.
HoldChoice choose_hold(GenerationMode mode, const Capabilities& can, bool has_tools);

}  // namespace pedro
