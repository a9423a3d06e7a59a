#include "messages_api/openai_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "messages_api/reply_error.h"

namespace pedro {
namespace {

StopCause cause_of_finish(std::string_view finish_reason) {
  if (finish_reason.empty() || finish_reason == "null") return StopCause::kNotSaid;
  if (finish_reason == "stop") return StopCause::kEnd;
  if (finish_reason == "length") return StopCause::kLength;
  if (finish_reason == "tool_calls" || finish_reason == "function_call") return StopCause::kCalls;
  if (finish_reason == "content_filter") return StopCause::kRefused;
  return StopCause::kOther;
}

// Reads a string, or the joined texts of chunks.
std::string read_content(ReplyJson& json) {
  if (json.kind() != JsonCursor::Kind::kArray) return json.text();
  std::string all;
  json.elements([&](std::size_t) {
    std::string type;
    std::string text;
    json.members([&](std::string_view name) {
      if (name == "type") {
        type = json.text();
      } else if (name == "text" && json.kind() == JsonCursor::Kind::kText) {
        text = json.text();
      } else {
        return false;
      }
      return true;
    });
    if (type == "text") all += text;
  });
  return all;
}

}  // namespace

void OpenAiReply::read_message(ReplyJson& json, Choice& choice) {
  std::string reasoning;  // some servers write both
  json.members([&](std::string_view name) {
    if (name == "content") {
      choice.text = read_content(json);
    } else if (name == "reasoning_content") {
      choice.thinking = json.text();
    } else if (name == "reasoning" && json.kind() == JsonCursor::Kind::kText) {
      reasoning = json.text();
    } else if (name == "refusal") {
      choice.refusal = json.text();
    } else if (name == "tool_calls") {
      read_calls(json, choice);
    } else {
      return false;
    }
    return true;
  });
  if (choice.thinking.empty()) choice.thinking = std::move(reasoning);
}

void OpenAiReply::read_calls(ReplyJson& json, Choice& choice) {
  json.elements([&](std::size_t) {
    CallPiece piece;
    json.members([&](std::string_view name) {
      if (name == "index" && !whole_) {
        piece.index = json.loose_count();
      } else if (name == "id") {
        piece.id = json.kind() == JsonCursor::Kind::kNumber ? json.raw() : json.text();
      } else if (name == "function") {
        json.members([&](std::string_view member) {
          if (member == "name") {
            piece.name = json.text();
          } else if (member == "arguments") {
            piece.arguments = json.kind() == JsonCursor::Kind::kText ? json.text() : json.raw();
          } else {
            return false;
          }
          return true;
        });
      } else {
        return false;
      }
      return true;
    });
    if (choice.calls.size() >= limits_.max_parts) {
      return json.fail(fmt::format("more than {} calls", limits_.max_parts));
    }
    choice.calls.push_back(std::move(piece));
  });
}

void OpenAiReply::read_choice(ReplyJson& json) {
  Choice choice;
  json.members([&](std::string_view name) {
    if (name == "index") {
      choice.index = json.loose_count().value_or(0);
    } else if (name == "message" || (name == "delta" && !whole_)) {
      // Some servers send a whole message in place of a delta, or a whole answer for a stream.
      read_message(json, choice);
    } else if (name == "finish_reason") {
      choice.finish_reason = json.text();
    } else {
      return false;
    }
    return true;
  });
  if (!json.failed() && choice.index == 0) add(json, choice);
}

void OpenAiReply::add(ReplyJson& json, const Choice& choice) {
  if (reply_.stop != StopCause::kNotSaid && !choice.empty()) {
    return json.fail(fmt::format("the reply continues after \"{}\"", reply_.stop_reason));
  }
  add_text(ContentChunk::Kind::kThinking, choice.thinking);
  add_text(ContentChunk::Kind::kText, choice.text);
  add_text(ContentChunk::Kind::kText, choice.refusal);
  refused_ |= !choice.refusal.empty();
  for (const CallPiece& piece : choice.calls) add_call(json, piece);
  const std::size_t parts = reply_.message.content.size() + reply_.message.calls.size();
  if (parts > limits_.max_parts) {
    json.fail(fmt::format("more than {} pieces of content and calls", limits_.max_parts));
  }
  if (bytes_ > limits_.max_bytes) {
    json.fail(fmt::format("more than {} bytes of content and calls", limits_.max_bytes));
  }
  stop(choice.finish_reason);
}

void OpenAiReply::add_text(ContentChunk::Kind kind, const std::string& text) {
  if (text.empty()) return;
  auto& content = reply_.message.content;
  if (content.empty() || content.back().kind != kind) content.push_back({kind, ""});
  content.back().text += text;
  bytes_ += text.size();
}

// Returns the index of the call that a piece belongs to; one past the last if it starts a call.
std::size_t OpenAiReply::place_of(const CallPiece& piece) const {
  const auto& calls = reply_.message.calls;
  if (whole_) return calls.size();
  if (!piece.index) return piece.id.empty() && !calls.empty() ? calls.size() - 1 : calls.size();
  // Searches backwards: if several calls share an index, the last one continues.
  const auto found = std::find(indexes_.rbegin(), indexes_.rend(), *piece.index);
  if (found == indexes_.rend()) return calls.size();
  const std::size_t at = static_cast<std::size_t>(indexes_.rend() - found) - 1;
  const bool begins = !piece.id.empty() && !piece.name.empty() && piece.id != calls[at].id;
  return begins ? calls.size() : at;
}

void OpenAiReply::add_call(ReplyJson& json, const CallPiece& piece) {
  auto& calls = reply_.message.calls;
  const std::size_t at = place_of(piece);
  if (at == calls.size()) {
    calls.emplace_back();
    indexes_.push_back(piece.index.value_or(static_cast<std::int64_t>(at)));
  }
  RequestedCall& call = calls[at];
  if (call.id.empty()) call.id = piece.id;
  if (piece.name.starts_with(call.name)) call.name = piece.name;  // a name may grow
  if (!piece.name.empty() && piece.name != call.name) json.fail("a call has two names");
  call.arguments += piece.arguments;
  bytes_ += piece.id.size() + piece.name.size() + piece.arguments.size();
}

// The first reason counts, unless a later one says that the reply is not complete.
void OpenAiReply::stop(const std::string& reason) {
  const StopCause cause = cause_of_finish(reason);
  if (cause == StopCause::kNotSaid) return;
  const bool is_partial = cause == StopCause::kLength || cause == StopCause::kRefused;
  if (reply_.stop != StopCause::kNotSaid && !is_partial) return;
  reply_.stop = refused_ ? StopCause::kRefused : cause;
  reply_.stop_reason = shown_stop_reason(reason);
}

void OpenAiReply::read_usage(ReplyJson& json) {
  usage_.said |= json.kind() == JsonCursor::Kind::kObject;
  json.members([&](std::string_view name) {
    if (name == "prompt_tokens") {
      usage_.usage.prompt_tokens = json.loose_count().value_or(0);
    } else if (name == "completion_tokens") {
      usage_.usage.generated_tokens = json.loose_count().value_or(0);
    } else if (name == "prompt_tokens_details") {
      json.members([&](std::string_view detail) {
        if (detail != "cached_tokens") return false;
        usage_.usage.cached_tokens = json.loose_count().value_or(0);
        return true;
      });
    } else {
      return false;
    }
    return true;
  });
}

void OpenAiReply::read_timings(ReplyJson& json) {
  timings_.said |= json.kind() == JsonCursor::Kind::kObject;
  std::int64_t evaluated = 0;
  Usage& usage = timings_.usage;
  json.members([&](std::string_view name) {
    if (name == "cache_n") {
      usage.cached_tokens = json.count();
    } else if (name == "prompt_n") {
      evaluated = json.count();
    } else if (name == "predicted_n") {
      usage.generated_tokens = json.count();
    } else if (name == "prompt_ms") {
      usage.prompt_ms = json.real();
    } else if (name == "predicted_ms") {
      usage.generate_ms = json.real();
    } else {
      return false;
    }
    return true;
  });
  usage.prompt_tokens = usage.cached_tokens + evaluated;
}

Status OpenAiReply::read(std::string_view event) {
  const std::string text = with_paired_surrogates(event);
  ReplyJson json(text, limits_.max_bytes);
  bool has_choices = false;
  std::string error;
  json.members([&](std::string_view name) {
    if (name == "choices") {
      json.elements([&](std::size_t) {
        has_choices = true;
        read_choice(json);
      });
    } else if (name == "usage") {
      read_usage(json);
    } else if (name == "timings") {
      read_timings(json);
    } else if (name == "error") {
      error = read_server_error(json);
    } else if (name == "object" && json.kind() == JsonCursor::Kind::kText) {
      is_complete_ = is_complete_ || json.text() == "chat.completion";
    } else {
      return false;
    }
    return true;
  });
  const Status end = json.finish();
  if (!end) return end;
  if (!error.empty()) return Error{ErrorKind::kModel, "the server reports: " + error};
  if (whole_ && !has_choices) return Error{ErrorKind::kModel, "expected \"choices\""};
  reply_.usage = usage_.said ? usage_.usage : timings_.usage;
  reply_.usage.prompt_ms = timings_.usage.prompt_ms;
  reply_.usage.generate_ms = timings_.usage.generate_ms;
  return {};
}

Status OpenAiReply::feed(std::string_view event) {
  if (error_) return *error_;
  ++events_;
  Status status;
  if (event.size() > limits_.max_bytes) {
    status = too_long(event.size(), limits_);
  } else if (done_) {
    status = read_late(event);
  } else if (trim(event) == "[DONE]") {
    done_ = true;
  } else if (whole_ || !trim(event).empty()) {
    status = read(event);
  }
  if (!status) error_ = status.error().at(whole_ ? "reply" : fmt::format("event {}", events_));
  return error_ ? Status(*error_) : Status();
}

// Reads an event after [DONE], which can only add the usage.
Status OpenAiReply::read_late(std::string_view event) {
  OpenAiReply late(limits_);
  const bool is_valid = late.read(event).ok();
  const ChatMessage& message = late.reply_.message;
  if (!message.content.empty() || !message.calls.empty()) {
    return Error{ErrorKind::kModel, "the reply continues after [DONE]"};
  }
  if (!is_valid || !late.usage_.said) return {};
  reply_.usage.prompt_tokens = late.reply_.usage.prompt_tokens;
  reply_.usage.cached_tokens = late.reply_.usage.cached_tokens;
  reply_.usage.generated_tokens = late.reply_.usage.generated_tokens;
  return {};
}

Result<ModelReply> OpenAiReply::finish() {
  const bool has_content = !reply_.message.content.empty() || !reply_.message.calls.empty();
  const bool is_over = (done_ || is_complete_) && has_content;
  if (!error_ && !whole_ && reply_.stop == StopCause::kNotSaid) {
    if (is_over) {
      reply_.stop = reply_.message.calls.empty() ? StopCause::kEnd : StopCause::kCalls;
    } else {
      error_ = cut_error(events_, "finish_reason");
    }
  }
  if (error_) return *error_;
  return std::move(reply_);
}

Result<ModelReply> read_openai_reply(std::string_view body, const ReplyLimits& limits) {
  OpenAiReply reply(limits);
  reply.whole_ = true;
  (void)reply.feed(body);
  return reply.finish();
}

}  // namespace pedro
