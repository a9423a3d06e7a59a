#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// How a conversation ends, and what the model is told about thinking.
struct TemplateMode {
  bool opens_reply = true;  ///< the model is to speak now
  bool thinks = true;       ///< false: the template is told not to open any thinking
};

/// The chat template that a server has for its model ("/apply-template").
class ServedTemplate {
 public:
  virtual ~ServedTemplate() = default;

  /// The text that the template makes of a conversation; a BOS token that the server adds by itself
  /// is not in it. Hostile. Error kUsage: the template does not write such conversations; every
  /// other Error is the server's.
  virtual Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) = 0;
};

}  // namespace pedro
