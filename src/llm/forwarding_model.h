#pragma once

#include <span>

#include "llm/model.h"

namespace pedro {

/// A model that forwards every call to another one. Derived classes override what they change, so
/// that none of the optional functions is lost on the way.
class ForwardingModel : public Model {
 public:
  Result<ModelInfo> open() override { return target_->open(); }
  Result<Reply> generate(const GenerateRequest& request) override {
    return target_->generate(request);
  }
  Result<std::string> served_model() override { return target_->served_model(); }
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override {
    return target_->together(requests);
  }
  void begin_anew() override { target_->begin_anew(); }
  void withdraw() override { target_->withdraw(); }
  Result<Reply> ask_aside(const GenerateRequest& request) override {
    return target_->ask_aside(request);
  }
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override {
    return target_->restore(request, reply, where);
  }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override {
    return target_->count_prompt(request);
  }
  bool counts_exactly() const override { return target_->counts_exactly(); }
  long long count_text(std::string_view text) override { return target_->count_text(text); }
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override {
    return target_->compacted(chat, origins);
  }

 protected:
  /// Borrows `target`.
  explicit ForwardingModel(Model& target) : target_(&target) {}

  Model& target() { return *target_; }
  /// Forwards to another model from now on. Borrows it.
  void forward_to(Model& target) { target_ = &target; }

 private:
  Model* target_;
};

}  // namespace pedro
