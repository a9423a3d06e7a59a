#pragma once

#include <memory>

#include "llm/llama_server.h"
#include "llm/model.h"

namespace pedro {

/// A llama-server, or the same server with messages if there is no tokenizer for its model
/// (LlamaServer::lacks_tokenizer). open() decides and reports it.
class MessagesIfNoTokens : public Model {
 public:
  MessagesIfNoTokens(std::unique_ptr<LlamaServer> server, std::unique_ptr<Model> messages,
                     std::function<void(std::string_view)> on_notice)
      : llama_(server.get()),
        used_(std::move(server)),
        messages_(std::move(messages)),
        on_notice_(std::move(on_notice)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override {
    return used_->generate(request);
  }
  void begin_anew() override { used_->begin_anew(); }
  void withdraw() override { used_->withdraw(); }
  Result<Reply> ask_aside(const GenerateRequest& request) override {
    return used_->ask_aside(request);
  }
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override {
    return used_->restore(request, reply, where);
  }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override {
    return used_->count_prompt(request);
  }
  bool counts_exactly() const override { return used_->counts_exactly(); }
  long long count_text(std::string_view text) override { return used_->count_text(text); }
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override {
    return used_->compacted(chat, origins);
  }

 private:
  LlamaServer* llama_;
  std::unique_ptr<Model> used_;
  std::unique_ptr<Model> messages_;
  std::function<void(std::string_view)> on_notice_;
};

}  // namespace pedro
