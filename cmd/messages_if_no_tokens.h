#pragma once

#include <memory>

#include "llm/forwarding_model.h"
#include "llm/llama_server.h"

namespace pedro {

/// A llama-server, or the same server with messages if there is no tokenizer for its model
/// (LlamaServer::lacks_tokenizer). open() decides and reports it.
class MessagesIfNoTokens : public ForwardingModel {
 public:
  MessagesIfNoTokens(std::unique_ptr<LlamaServer> server, std::unique_ptr<Model> messages,
                     std::function<void(std::string_view)> on_notice)
      : ForwardingModel(*server),
        llama_(std::move(server)),
        messages_(std::move(messages)),
        on_notice_(std::move(on_notice)) {}

  Result<ModelInfo> open() override;

 private:
  std::unique_ptr<LlamaServer> llama_;
  std::unique_ptr<Model> messages_;
  std::function<void(std::string_view)> on_notice_;
};

}  // namespace pedro
