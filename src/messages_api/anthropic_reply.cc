#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "messages_api/reply_error.h"
#include "messages_api/reply_readers.h"

namespace pedro {
namespace {

StopCause cause_of_stop(std::string_view stop_reason) {
  if (stop_reason.empty()) return StopCause::kNotSaid;
  if (stop_reason == "end_turn" || stop_reason == "stop_sequence") return StopCause::kEnd;
  if (stop_reason == "tool_use") return StopCause::kCalls;
  if (stop_reason == "refusal") return StopCause::kRefused;
  if (stop_reason == "max_tokens" || stop_reason == "model_context_window_exceeded") {
    return StopCause::kLength;
  }
  return StopCause::kOther;
}

Error wrong(std::string message) {
  return {ErrorKind::kModel, std::move(message)};
}

bool is_empty_object(std::string_view json) {
  return json.size() >= 2 && json.front() == '{' && trim(json.substr(1, json.size() - 2)).empty();
}

}  // namespace

AnthropicReply::Piece AnthropicReply::read_piece(ReplyJson& json) {
  Piece piece;
  json.members([&](std::string_view name) {
    if (name == "type") {
      piece.type = json.text();
    } else if (name == "text") {
      piece.text = json.text();
    } else if (name == "thinking") {
      piece.thinking = json.text();
    } else if (name == "signature") {
      if (!json.skip_null()) piece.signature = json.text();
    } else if (name == "data") {
      piece.data = json.kind() == JsonCursor::Kind::kText ? json.text() : json.raw();
    } else if (name == "id") {
      piece.id = json.text();
    } else if (name == "name") {
      piece.name = json.text();
    } else if (name == "input") {
      piece.input = json.raw();
    } else if (name == "partial_json") {
      piece.partial_json = json.text();
    } else if (name == "stop_reason") {
      piece.stop_reason = json.text();
    } else {
      return false;
    }
    return true;
  });
  return piece;
}

void AnthropicReply::read_usage(ReplyJson& json) {
  json.members([&](std::string_view name) {
    if (name == "input_tokens") {
      input_tokens_ = json.count();
    } else if (name == "cache_read_input_tokens") {
      cache_read_tokens_ = json.count();
    } else if (name == "cache_creation_input_tokens") {
      cache_written_tokens_ = json.count();
    } else if (name == "output_tokens") {
      reply_.usage.generated_tokens = json.count();
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
    message.has_content = json.kind() == JsonCursor::Kind::kArray;
    json.elements([&](std::size_t) {
      if (message.content.size() >= limits_.max_parts) {
        return json.fail(fmt::format("more than {} blocks", limits_.max_parts));
      }
      message.content.push_back(read_piece(json));
    });
  } else if (name == "stop_reason") {
    message.stop_reason = json.text();
  } else if (name == "usage") {
    read_usage(json);
  } else {
    return false;
  }
  return true;
}

bool AnthropicReply::read_event_member(ReplyJson& json, std::string_view name, Event& event) {
  if (name == "type") {
    event.type = json.text();
  } else if (name == "error") {
    event.error = read_server_error(json);
  } else if (whole_) {
    return read_message_member(json, name, event.message);
  } else if (name == "index") {
    event.index = json.count();
  } else if (name == "message") {
    json.members(
        [&](std::string_view member) { return read_message_member(json, member, event.message); });
  } else if (name == "content_block" || name == "delta") {
    event.piece = read_piece(json);
  } else if (name == "usage") {
    read_usage(json);
  } else {
    return false;
  }
  return true;
}

Status AnthropicReply::read(std::string_view text) {
  ReplyJson json(text, limits_.max_bytes);
  Event event;
  json.members([&](std::string_view name) { return read_event_member(json, name, event); });
  PEDRO_RETURN_IF_ERROR(json.finish());
  if (event.error.empty() && event.type == "error") event.error = "an error without a message";
  if (!event.error.empty()) return wrong("the server reports: " + event.error);
  const bool is_message = whole_ || event.type == "message_start";
  return is_message ? begin(event.message) : take(event);
}

Status AnthropicReply::begin(const Message& message) {
  if (begun_) return wrong("a second message_start");
  if (whole_ && !message.has_content) return wrong("expected \"content\", an array");
  begun_ = true;
  for (std::size_t i = 0; i < message.content.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    Status status = begin_block(index, message.content[i]);
    if (status) status = end_block(index);
    if (!status) return status.error().at(fmt::format("content[{}]", i));
  }
  return stop(message.stop_reason);
}

Status AnthropicReply::take(const Event& event) {
  const bool is_part = event.type.starts_with("content_block_") || event.type == "message_delta";
  // llama-server omits message_start if the first token ends inside a UTF-8 sequence.
  begun_ = begun_ || is_part;
  const bool says_more = event.type == "content_block_start" || event.type == "content_block_delta";
  if (says_more && reply_.stop != StopCause::kNotSaid) {
    return wrong(fmt::format("the reply continues after \"{}\"", reply_.stop_reason));
  }
  if (event.type == "content_block_start") return begin_block(event.index, event.piece);
  if (event.type == "content_block_delta") return add_delta(event.index, event.piece);
  if (event.type == "content_block_stop") return end_block(event.index);
  if (event.type == "message_delta") return stop(event.piece.stop_reason);
  if (event.type == "message_stop") done_ = true;
  if (event.type.empty()) return wrong("expected \"type\"");
  return {};
}

Status AnthropicReply::begin_block(std::int64_t index, const Piece& piece) {
  const auto same = [&](const Block& block) { return block.index == index; };
  if (std::any_of(blocks_.begin(), blocks_.end(), same)) {
    return wrong(fmt::format("index: block {} begins twice", index));
  }
  if (blocks_.size() >= limits_.max_parts) {
    return wrong(fmt::format("more than {} blocks", limits_.max_parts));
  }
  std::vector<ContentChunk>& content = reply_.message.content;
  std::vector<RequestedCall>& calls = reply_.message.calls;
  Block block{.index = index};
  if (piece.type == "text") {
    block.kind = Block::Kind::kText;
    content.push_back({ContentChunk::Kind::kText, piece.text});
  } else if (piece.type == "thinking") {
    block.kind = Block::Kind::kThinking;
    content.push_back({ContentChunk::Kind::kThinking, piece.thinking, false, piece.signature});
  } else if (piece.type == "redacted_thinking") {
    block.kind = Block::Kind::kThinking;
    content.push_back({ContentChunk::Kind::kThinking, "", false, piece.data, true});
  } else if (piece.type == "tool_use") {
    block.kind = Block::Kind::kCall;
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

Result<AnthropicReply::Block*> AnthropicReply::open_block(std::int64_t index) {
  // Searches backwards, because the block is usually the last one.
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                  [&](const Block& block) { return block.index == index; });
  if (found == blocks_.rend()) return wrong(fmt::format("index: block {} has not begun", index));
  if (!found->open) return wrong(fmt::format("index: block {} has ended", index));
  return &*found;
}

Status AnthropicReply::add_delta(std::int64_t index, const Piece& piece) {
  using BlockKind = Block::Kind;
  constexpr std::pair<std::string_view, BlockKind> kTypes[] = {
      {"text_delta", BlockKind::kText},
      {"thinking_delta", BlockKind::kThinking},
      {"signature_delta", BlockKind::kThinking},
      {"input_json_delta", BlockKind::kCall}};
  PEDRO_TRY(const auto block, open_block(index));
  const auto type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const auto& row) { return row.first == piece.type; });
  if (type == std::end(kTypes) || block->kind == BlockKind::kOther) return {};
  if (type->second != block->kind) {
    return wrong(fmt::format("delta.type: \"{}\" in a block of another type", piece.type));
  }
  if (block->kind == BlockKind::kCall) return add_to_call(*block, piece.partial_json);
  ContentChunk& chunk = reply_.message.content[block->place];
  if (piece.type == "signature_delta") {
    chunk.signature = chunk.signature.value_or("") + piece.signature.value_or("");
  } else {
    chunk.text += piece.type == "text_delta" ? piece.text : piece.thinking;
  }
  bytes_ += piece.text.size() + piece.thinking.size() + piece.signature.value_or("").size();
  return check_size();
}

// Appends input to a call. The start of a block has {} as a placeholder for it.
Status AnthropicReply::add_to_call(Block& block, const std::string& input) {
  std::string& arguments = reply_.message.calls[block.place].arguments;
  if (block.has_only_start && !input.empty()) {
    if (!arguments.empty() && !is_empty_object(arguments)) {
      return wrong("delta.partial_json: the input was already given");
    }
    arguments.clear();
    block.has_only_start = false;
  }
  arguments += input;
  bytes_ += input.size();
  return check_size();
}

Status AnthropicReply::end_block(std::int64_t index) {
  PEDRO_TRY(const auto block, open_block(index));
  block->open = false;
  if (block->kind == Block::Kind::kThinking) {
    reply_.message.content[block->place].closed = true;
  }
  return {};
}

Status AnthropicReply::stop(const std::string& reason) {
  if (reason.empty()) return {};
  if (reply_.stop != StopCause::kNotSaid && shown_stop_reason(reason) != reply_.stop_reason) {
    return wrong(fmt::format("a second \"stop_reason\", after \"{}\"", reply_.stop_reason));
  }
  reply_.stop = cause_of_stop(reason);
  reply_.stop_reason = shown_stop_reason(reason);
  return {};
}

Status AnthropicReply::check_size() const {
  if (bytes_ <= limits_.max_bytes) return {};
  return wrong(fmt::format("more than {} bytes of content and calls", limits_.max_bytes));
}

Status AnthropicReply::feed(std::string_view event) {
  if (error_) return *error_;
  ++events_;
  Status status;
  if (done_) {
    status = wrong("an event follows message_stop");
  } else if (event.size() > limits_.max_bytes) {
    status = too_long(event.size(), limits_);
  } else {
    status = read(event);
  }
  if (!status) error_ = status.error().at(whole_ ? "reply" : fmt::format("event {}", events_));
  return error_ ? Status(*error_) : Status();
}

// Drops text blocks that stayed empty.
void AnthropicReply::drop_empty() {
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
