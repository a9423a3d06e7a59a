#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "chat/image.h"
#include "llm/forwarding_model.h"

namespace pedro {

/// A model for conversations with images. A server that takes them gets them as messages. For
/// another model, each image is described once, by a model with vision. The description follows
/// the image's mark, between marks of foreign text. Belongs to one thread.
class ModelWithImages : public ForwardingModel {
 public:
  struct Parts {
    std::unique_ptr<Model> own;  ///< the configured model
    bool own_takes_messages = false;
    /// The same server with messages, if `own` does not take them; may be null.
    std::unique_ptr<Model> as_messages;
    /// Returns a description by any model of the server with vision. Error: there is none.
    std::function<Result<std::string>(const std::string& id)> describe;
    std::function<void(std::string_view message)> on_notice;
  };

  /// Borrows `images`.
  ModelWithImages(Parts parts, ImageFolder& images);

  /// Chooses the form for images that are there already, and describes them if that is needed.
  /// Errors: also that nothing on the server takes images.
  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  Result<std::string> described(const std::string& id);
  Result<std::string> with_descriptions(std::string_view text);
  Result<ChatRequest> shown(const ChatRequest& chat);
  bool needs_words() const { return !sees_ && !images_.empty(); }
  template <typename Function>
  auto with_shown(const GenerateRequest& request, Function function) -> decltype(function(request));

  Parts parts_;
  ImageFolder& images_;
  bool sees_ = false;  // the server gets the images themselves
};

}  // namespace pedro
