#pragma once

#include "llm/llama_client.h"
#include "template_learner/served_template.h"

namespace pedro {

/// The chat template of a llama-server. Borrows the client.
class LlamaTemplate : public ServedTemplate {
 public:
  explicit LlamaTemplate(LlamaClient& client) : client_(client) {}

  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) override {
    return client_.apply_template(request, mode);
  }

 private:
  LlamaClient& client_;
};

}  // namespace pedro
