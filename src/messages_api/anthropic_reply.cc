#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "messages_api/reply_error.h"
#include "messages_api/reply_readers.h"

namespace pedro {
namespace {

Error wrong(std::string message) {
  return {ErrorKind::kModel, std::move(message)};
}

// Returns true for events that carry a part of the message.
bool is_content(std::string_view type) {
  return type == "message" || type == "message_start" || type == "content_block_start" ||
         type == "content_block_delta";
}

}  // namespace

AnthropicReply::Piece AnthropicReply::read_piece(ReplyJson& json) {
  Piece piece;
  json.loose_members([&](std::string_view name) {
    if (name == "type") {
      piece.type = json.loose_text();
    } else if (name == "text") {
      piece.text = json.loose_text();
    } else if (name == "thinking") {
      piece.thinking = json.loose_text();
    } else if (name == "signature") {
      if (!json.skip_null()) piece.signature = json.loose_text();
    } else if (name == "data") {
      piece.data = json.text_or_raw();
    } else if (name == "id") {
      piece.id = json.text_or_raw();
    } else if (name == "name") {
      piece.name = json.loose_text();
    } else if (name == "input") {
      piece.input = json.raw();
    } else if (name == "partial_json") {
      piece.partial_json = json.text_or_raw();
    } else if (name == "stop_reason") {
      piece.stop_reason = json.loose_text();
    } else {
      return false;
    }
    return true;
  });
  return piece;
}

void AnthropicReply::read_usage(ReplyJson& json) {
  json.loose_members([&](std::string_view name) {
    if (name == "input_tokens") {
      input_tokens_ = json.loose_count().value_or(0);
    } else if (name == "cache_read_input_tokens") {
      cache_read_tokens_ = json.loose_count().value_or(0);
    } else if (name == "cache_creation_input_tokens") {
      cache_written_tokens_ = json.loose_count().value_or(0);
    } else if (name == "output_tokens") {
      reply_.usage.generated_tokens = json.loose_count().value_or(0);
    } else {
      return false;
    }
    return true;
  });
  reply_.usage.cached_tokens = cache_read_tokens_;
  reply_.usage.cache_written_tokens = cache_written_tokens_;
  reply_.usage.prompt_tokens = input_tokens_ + cache_read_tokens_ + cache_written_tokens_;
}

bool AnthropicReply::read_message_member(ReplyJson& json, std::string_view name, Message& message) {
  if (name == "content") {
    using Kind = JsonCursor::Kind;
    message.has_content = json.kind() == Kind::kArray || json.kind() == Kind::kText;
    if (json.kind() == Kind::kText) {
      message.content.push_back({.type = "text", .text = json.text()});
      return true;
    }
    if (json.kind() != Kind::kArray) return false;
    json.elements([&](std::size_t) {
      if (message.content.size() >= limits_.max_parts) {
        return json.fail(fmt::format("more than {} blocks", limits_.max_parts));
      }
      message.content.push_back(read_piece(json));
    });
  } else if (name == "stop_reason") {
    message.stop_reason = json.loose_text();
  } else if (name == "usage") {
    read_usage(json);
  } else {
    return false;
  }
  return true;
}

bool AnthropicReply::read_event_member(ReplyJson& json, std::string_view name, Event& event) {
  if (name == "type") {
    event.type = json.loose_text();
  } else if (name == "error") {
    event.error = read_server_error(json);
  } else if (name == "index") {
    event.index = json.loose_count().value_or(0);
  } else if (name == "message" && json.kind() == JsonCursor::Kind::kObject) {
    json.members(
        [&](std::string_view member) { return read_message_member(json, member, event.message); });
  } else if (name == "content_block" || name == "delta") {
    event.piece = read_piece(json);
  } else {
    return read_message_member(json, name, event.message);
  }
  return true;
}

Status AnthropicReply::read(std::string_view text, std::string_view name) {
  const std::string paired = with_paired_surrogates(text);
  ReplyJson json(paired, limits_.max_bytes);
  Event event{.type = std::string(name)};
  json.members([&](std::string_view member) { return read_event_member(json, member, event); });
  const Status valid = json.finish();
  if (done_) return is_content(event.type) ? wrong("the reply continues after its end") : Status();
  if (!valid) return valid;
  if (event.error.empty() && event.type == "error") event.error = "an error without a message";
  if (!event.error.empty()) return wrong("the server reports: " + event.error);
  const bool is_whole = whole_ || event.type == "message";
  if (is_whole && !event.message.has_content) return wrong("expected \"content\", an array");
  if (!is_whole && event.type != "message_start") return take(event);
  PEDRO_RETURN_IF_ERROR(begin(event.message));
  if (is_whole && !whole_) end();
  return {};
}

Status AnthropicReply::begin(const Message& message) {
  if (begun_) return wrong("a second message_start");
  begun_ = true;
  for (std::size_t i = 0; i < message.content.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const Status status = begin_block(index, message.content[i]);
    if (!status) return status.error().at(fmt::format("content[{}]", i));
    end_block(index);
  }
  note_stop(reply_, message.stop_reason);
  return {};
}

Status AnthropicReply::take(const Event& event) {
  if (event.type.empty()) return wrong("expected \"type\"");
  // llama-server omits message_start if the first token ends inside a UTF-8 sequence.
  begun_ = begun_ || event.type.starts_with("content_block_") || event.type == "message_delta";
  if (is_content(event.type)) withdraw_reason();
  if (event.type == "content_block_start") return begin_block(event.index, event.piece);
  if (event.type == "content_block_delta") return add_delta(event.index, event.piece);
  if (event.type == "content_block_stop") end_block(event.index);
  if (event.type == "message_delta") note_stop(reply_, event.piece.stop_reason);
  if (event.type == "message_stop") end();
  return {};
}

// Forgets a reason after which the reply continues. Some servers repeat one in every event.
void AnthropicReply::withdraw_reason() {
  if (reply_.stop == StopCause::kLength || reply_.stop == StopCause::kRefused) return;
  reply_.stop = StopCause::kNotSaid;
  reply_.stop_reason.clear();
}

void AnthropicReply::end() {
  done_ = true;
  end_without_reason(reply_);
}

// Returns the kind of a block or delta by its type, else by its members.
AnthropicReply::Block::Kind AnthropicReply::kind_of(const Piece& piece) {
  using Kind = Block::Kind;
  constexpr std::pair<std::string_view, Kind> kTypes[] = {{"text", Kind::kText},
                                                          {"text_delta", Kind::kText},
                                                          {"thinking", Kind::kThinking},
                                                          {"thinking_delta", Kind::kThinking},
                                                          {"signature_delta", Kind::kThinking},
                                                          {"redacted_thinking", Kind::kThinking},
                                                          {"tool_use", Kind::kCall},
                                                          {"input_json_delta", Kind::kCall}};
  if (piece.type.empty()) {
    if (!piece.name.empty() || !piece.partial_json.empty()) return Kind::kCall;
    const bool thinks = !piece.thinking.empty() || piece.signature.has_value();
    return thinks ? Kind::kThinking : Kind::kText;
  }
  const auto* const row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                       [&](const auto& one) { return one.first == piece.type; });
  return row == std::end(kTypes) ? Kind::kOther : row->second;
}

Status AnthropicReply::begin_block(std::int64_t index, const Piece& piece) {
  if (blocks_.size() >= limits_.max_parts) {
    return wrong(fmt::format("more than {} blocks", limits_.max_parts));
  }
  std::vector<ContentChunk>& content = reply_.message.content;
  std::vector<RequestedCall>& calls = reply_.message.calls;
  end_block(index);  // some servers give every block the same index
  Block block{.index = index, .kind = kind_of(piece)};
  if (block.kind == Block::Kind::kText) {
    content.push_back({ContentChunk::Kind::kText, piece.text});
  } else if (block.kind == Block::Kind::kThinking) {
    const bool redacted = piece.type == "redacted_thinking";
    content.push_back({ContentChunk::Kind::kThinking, piece.thinking, false,
                       redacted ? piece.data : piece.signature, redacted});
  } else if (block.kind == Block::Kind::kCall) {
    calls.push_back({piece.id, piece.name, piece.input});
  }
  const bool is_call = block.kind == Block::Kind::kCall;
  if (block.kind != Block::Kind::kOther)
    block.place = (is_call ? calls.size() : content.size()) - 1;
  blocks_.push_back(block);
  bytes_ += piece.text.size() + piece.thinking.size() + piece.data.size() + piece.id.size() +
            piece.name.size() + piece.input.size() + piece.signature.value_or("").size();
  return check_size();
}

// Returns the last block with an index, and of one of the kinds. Null if there is none.
AnthropicReply::Block* AnthropicReply::find_block(std::int64_t index,
                                                  std::initializer_list<Block::Kind> kinds) {
  // Searches backwards, because the block is usually the last one.
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const Block& block) {
    const bool is_of = std::find(kinds.begin(), kinds.end(), block.kind) != kinds.end();
    return block.index == index && (kinds.size() == 0 || is_of);
  });
  return found == blocks_.rend() ? nullptr : &*found;
}

// Adds to the block of that index. Some servers omit its start, or mix types in a block.
Status AnthropicReply::add_delta(std::int64_t index, const Piece& piece) {
  const Block::Kind kind = kind_of(piece);
  Block* block = find_block(index, {kind, Block::Kind::kOther});
  if (kind == Block::Kind::kOther || (block != nullptr && block->kind != kind)) return {};
  if (kind == Block::Kind::kCall) {
    if (block == nullptr) return wrong(fmt::format("index: no call begins block {}", index));
    return add_to_call(*block, piece.partial_json);
  }
  if (block == nullptr) {
    const bool is_text = kind == Block::Kind::kText;
    PEDRO_RETURN_IF_ERROR(begin_block(index, {.type = is_text ? "text" : "thinking"}));
    block = &blocks_.back();
  }
  ContentChunk& chunk = reply_.message.content[block->place];
  if (piece.signature) chunk.signature = chunk.signature.value_or("") + *piece.signature;
  chunk.text += kind == Block::Kind::kText ? piece.text : piece.thinking;
  bytes_ += piece.text.size() + piece.thinking.size() + piece.signature.value_or("").size();
  return check_size();
}

// Appends input to a call, in place of the input in the start of its block.
Status AnthropicReply::add_to_call(Block& block, const std::string& input) {
  std::string& arguments = reply_.message.calls[block.place].arguments;
  if (!block.first_input && !input.empty()) block.first_input = std::exchange(arguments, "");
  arguments += input;
  bytes_ += input.size();
  return check_size();
}

void AnthropicReply::end_block(std::int64_t index) {
  const Block* const block = find_block(index, {});
  if (block == nullptr || block->kind != Block::Kind::kThinking) return;
  reply_.message.content[block->place].closed = true;
}

Status AnthropicReply::check_size() const {
  if (bytes_ <= limits_.max_bytes) return {};
  return wrong(fmt::format("more than {} bytes of content and calls", limits_.max_bytes));
}

Status AnthropicReply::feed(std::string_view event, std::string_view name) {
  if (error_) return *error_;
  const auto parts = whole_ ? std::vector{event} : events_in(event);
  if (parts.size() > 1) {
    for (const std::string_view part : parts) (void)feed(part, name);
    return error_ ? Status(*error_) : Status();
  }
  ++events_;
  Status status;
  if (event.size() > limits_.max_bytes) {
    status = too_long(event.size(), limits_);
  } else if (ends_openai_stream(event)) {
    end();
  } else if (whole_ || holds_json(event)) {
    status = read(event, name);
  }
  if (!status) error_ = status.error().at(whole_ ? "reply" : fmt::format("event {}", events_));
  return error_ ? Status(*error_) : Status();
}

// Drops text blocks that stayed empty. Restores the input of calls whose deltas had none.
void AnthropicReply::drop_empty() {
  for (Block& block : blocks_) {
    if (!block.first_input) continue;
    std::string& arguments = reply_.message.calls[block.place].arguments;
    if (is_empty_object(arguments)) arguments = *std::move(block.first_input);
  }
  std::erase_if(reply_.message.content, [](const ContentChunk& chunk) {
    return chunk.kind == ContentChunk::Kind::kText && chunk.text.empty();
  });
}

Result<ModelReply> AnthropicReply::finish() {
  if (!error_ && !whole_ && reply_.stop == StopCause::kNotSaid) {
    error_ = cut_error(events_, "stop_reason");
  }
  if (error_) return *error_;
  drop_empty();
  return std::move(reply_);
}

Result<ModelReply> read_anthropic_reply(std::string_view body, const ReplyLimits& limits) {
  AnthropicReply reply(limits);
  reply.whole_ = true;
  (void)reply.feed(body);
  return reply.finish();
}

}  // namespace pedro
