#include "template_learner/template_probes.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "chat_format/write_chat_request.h"

namespace pedro {

Result<std::string> TemplateProbes::render(const ChatRequest& request, const TemplateMode& mode) {
  const std::string key =
      fmt::format("{}{}{}", mode.opens_reply, mode.thinks, to_line(write_chat_request(request)));
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (requests_ >= limits_.max_requests) {
    return Error{
        ErrorKind::kModel,
        fmt::format("the chat template cannot be learned in {} requests", limits_.max_requests)};
  }
  ++requests_;
  Result<std::string> text = served_.render(request, mode);
  if (text && text->size() > limits_.max_text_bytes) {
    text = Error{ErrorKind::kModel,
                 fmt::format("the chat template writes a short conversation in {} bytes, expected "
                             "at most {}: start the server with another --chat-template",
                             text->size(), limits_.max_text_bytes)};
  } else if (text && !is_valid_utf8(*text)) {
    text = Error{
        ErrorKind::kModel,
        "the chat template does not write UTF-8: start the server with another --chat-template"};
  }
  known_.emplace(key, text);
  return text;
}

}  // namespace pedro
