#include "llm/model_with_images.h"

#include <fmt/format.h>

#include <deque>

#include "base/marked_text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

// Copies a request for another form of its conversation.
GenerateRequest with_chat(const GenerateRequest& request, const ChatRequest& chat) {
  return {.chat = chat,
          .calls = request.calls,
          .mode = request.mode,
          .biases = request.biases,
          .tool_biases = request.tool_biases,
          .temperature = request.temperature,
          .max_tokens = request.max_tokens,
          .seed = request.seed,
          .text_grammar = request.text_grammar,
          .stops = request.stops,
          .ends_at_loop = request.ends_at_loop,
          .thinking_tokens = request.thinking_tokens};
}

}  // namespace

ModelWithImages::ModelWithImages(Parts parts, ImageFolder& images)
    : ForwardingModel(*parts.own), parts_(std::move(parts)), images_(images) {}

Result<ModelInfo> ModelWithImages::open() {
  if (!images_.empty() && parts_.as_messages) {
    PEDRO_TRY(ModelInfo info, parts_.as_messages->open());
    if (info.takes_images.value_or(false)) {
      if (parts_.on_notice) parts_.on_notice("the job has images: continuing with messages");
      forward_to(*parts_.as_messages);
      sees_ = true;
      return info;
    }
  }
  PEDRO_TRY(ModelInfo info, parts_.own->open());
  sees_ = parts_.own_takes_messages && info.takes_images.value_or(!images_.empty());
  if (!needs_words()) return info;
  for (const std::string& id : images_.ids()) {
    const Result<std::string> text = described(id);
    if (!text) return text.error();
  }
  return info;
}

// Returns the stored description, or requests it.
Result<std::string> ModelWithImages::described(const std::string& id) {
  std::string text = images_.description(id);
  if (!text.empty()) return text;
  PEDRO_TRY(text, parts_.describe(id));
  text = make_printable(text);
  PEDRO_RETURN_IF_ERROR(images_.describe(id, text));
  return text;
}

// Adds the description after each mark. An image of a tool may stay without one.
Result<std::string> ModelWithImages::with_descriptions(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const FoundMark& mark : image_marks(text)) {
    out += text.substr(at, mark.end - at);
    at = mark.end;
    if (!images_.has(mark.id)) continue;
    const Result<std::string> words = described(mark.id);
    if (!words && words.error().kind == ErrorKind::kInterrupted) return words.error();
    out += "\n" + (words ? marked("description of the image", *words)
                         : "(not shown: " + words.error().message + ")");
  }
  return out.append(text.substr(at));
}

Result<ChatRequest> ModelWithImages::shown(const ChatRequest& chat) {
  ChatRequest changed = chat;
  for (ChatMessage& message : changed.messages) {
    if (message.role != Role::kUser && message.role != Role::kTool) continue;
    for (ContentChunk& chunk : message.content) {
      PEDRO_TRY(chunk.text, with_descriptions(chunk.text));
    }
  }
  return changed;
}

template <typename Function>
auto ModelWithImages::with_shown(const GenerateRequest& request, Function function)
    -> decltype(function(request)) {
  if (!needs_words()) return function(request);
  const Result<ChatRequest> chat = shown(request.chat);
  if (!chat) return chat.error();
  return function(with_chat(request, *chat));
}

Result<Reply> ModelWithImages::generate(const GenerateRequest& request) {
  return with_shown(request, [&](const GenerateRequest& one) { return target().generate(one); });
}

Result<Reply> ModelWithImages::ask_aside(const GenerateRequest& request) {
  return with_shown(request, [&](const GenerateRequest& one) { return target().ask_aside(one); });
}

Status ModelWithImages::restore(const GenerateRequest& request, const Reply& reply, Asked where) {
  return with_shown(
      request, [&](const GenerateRequest& one) { return target().restore(one, reply, where); });
}

Result<std::optional<long long>> ModelWithImages::count_prompt(const GenerateRequest& request) {
  return with_shown(request,
                    [&](const GenerateRequest& one) { return target().count_prompt(one); });
}

Result<std::size_t> ModelWithImages::together(std::span<const GenerateRequest> requests) {
  if (!needs_words()) return target().together(requests);
  std::deque<ChatRequest> chats;
  std::vector<GenerateRequest> all;
  for (const GenerateRequest& request : requests) {
    PEDRO_TRY(ChatRequest chat, shown(request.chat));
    all.push_back(with_chat(request, chats.emplace_back(std::move(chat))));
  }
  return target().together(all);
}

Status ModelWithImages::compacted(const ChatRequest& chat, std::span<const std::size_t> origins) {
  if (!needs_words()) return target().compacted(chat, origins);
  const Result<ChatRequest> changed = shown(chat);
  return changed ? target().compacted(*changed, origins) : Status(changed.error());
}

}  // namespace pedro
