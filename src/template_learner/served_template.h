#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// The end of a conversation, and the template's setting for thinking.
struct TemplateMode {
  bool opens_reply = true;  ///< the model's turn starts
  bool thinks = true;       ///< false: asks the template not to open thinking
};

/// The chat template of a server's model ("/apply-template").
class ServedTemplate {
 public:
  virtual ~ServedTemplate() = default;

  /// Renders a conversation with the template. The text lacks a BOS token that the server itself
  /// adds, and is untrusted. Error kUsage: the template does not write such conversations. All
  /// other Errors are the server's.
  virtual Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) = 0;
};

}  // namespace pedro
