#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "messages_api/reply_error.h"
#include "messages_api/reply_readers.h"

namespace pedro {
namespace {

constexpr std::string_view kDone = "[done]";
constexpr std::string_view kArgumentKeys[] = {"arguments", "parameters", "input", "args"};

}  // namespace

void OpenAiReply::read_message(ReplyJson& json, Choice& choice) {
  std::string reasoning;  // some servers write both
  std::optional<CallPiece> legacy;
  json.loose_members([&](std::string_view name) {
    if (name == "content") {
      choice.text += json.loose_text();
    } else if (name == "reasoning_content") {
      choice.thinking = json.loose_text();
    } else if (name == "reasoning") {
      reasoning = json.loose_text();
    } else if (name == "refusal") {
      choice.refusal = json.loose_text();
    } else if (name == "tool_calls") {
      read_calls(json, choice);
    } else if (name == "function_call" && json.kind() == JsonCursor::Kind::kObject) {
      legacy = read_piece(json);
    } else {
      return false;
    }
    return true;
  });
  if (choice.thinking.empty()) choice.thinking = std::move(reasoning);
  if (legacy && choice.calls.empty()) choice.calls.push_back(*std::move(legacy));
}

OpenAiReply::CallPiece OpenAiReply::read_piece(ReplyJson& json) {
  CallPiece piece;
  const auto read_function = [&](std::string_view name) {
    if (name == "name") {
      piece.name = json.loose_text();
    } else if (std::find(std::begin(kArgumentKeys), std::end(kArgumentKeys), name) !=
               std::end(kArgumentKeys)) {
      std::string written = json.text_or_raw();
      if (is_empty_object(piece.arguments)) piece.arguments = std::move(written);
    } else {
      return false;
    }
    return true;
  };
  json.members([&](std::string_view name) {
    if (name == "index" && !whole_) {
      piece.index = json.loose_count();
    } else if (name == "id") {
      piece.id = json.kind() == JsonCursor::Kind::kNumber ? json.raw() : json.loose_text();
    } else if (name == "function") {
      json.loose_members(read_function);
    } else {
      return read_function(name);  // some servers omit "function"
    }
    return true;
  });
  return piece;
}

// Reads a list of calls. Some servers write a single call without the list, or the list as a text.
void OpenAiReply::read_calls(ReplyJson& json, Choice& choice) {
  using Kind = JsonCursor::Kind;
  if (json.kind() == Kind::kText) return choice.text.append(json.text()), void();
  if (json.kind() == Kind::kObject) return choice.calls.push_back(read_piece(json));
  if (json.kind() != Kind::kArray) return json.skip();
  json.elements([&](std::size_t) {
    if (choice.calls.size() >= limits_.max_parts) {
      return json.fail(fmt::format("more than {} calls", limits_.max_parts));
    }
    choice.calls.push_back(read_piece(json));
  });
  if (choice.calls.size() == 1) return;
  for (std::size_t i = 0; i < choice.calls.size(); ++i) {
    if (!choice.calls[i].index) choice.calls[i].index = static_cast<std::int64_t>(i);
  }
}

void OpenAiReply::read_choice(ReplyJson& json) {
  Choice choice;
  json.members([&](std::string_view name) {
    if (name == "index") {
      choice.index = json.loose_count().value_or(0);
    } else if (name == "message" || (name == "delta" && !whole_)) {
      // Some servers send a whole message in place of a delta, or a whole answer for a stream.
      has_message_ |= name == "message";
      read_message(json, choice);
    } else if (name == "text") {  // of completions
      choice.text += json.loose_text();
    } else if (name == "finish_reason") {
      choice.finish_reason = json.loose_text();
    } else {
      return false;
    }
    return true;
  });
  if (!first_choice_) first_choice_ = choice.index;
  if (!json.failed() && choice.index == *first_choice_) add(json, choice);
}

void OpenAiReply::add(ReplyJson& json, const Choice& choice) {
  add_text(ContentChunk::Kind::kThinking, choice.thinking);
  add_text(ContentChunk::Kind::kText, choice.text);
  add_text(ContentChunk::Kind::kText, choice.refusal);
  refused_ |= !choice.refusal.empty();
  for (const CallPiece& piece : choice.calls) add_call(piece);
  const std::size_t parts = reply_.message.content.size() + reply_.message.calls.size();
  if (parts > limits_.max_parts) {
    json.fail(fmt::format("more than {} pieces of content and calls", limits_.max_parts));
  }
  if (bytes_ > limits_.max_bytes) {
    json.fail(fmt::format("more than {} bytes of content and calls", limits_.max_bytes));
  }
  note_stop(reply_, choice.finish_reason);
  if (refused_ && reply_.stop != StopCause::kNotSaid) reply_.stop = StopCause::kRefused;
}

void OpenAiReply::add_text(ContentChunk::Kind kind, const std::string& text) {
  if (text.empty()) return;
  auto& content = reply_.message.content;
  if (content.empty() || content.back().kind != kind) content.push_back({kind, ""});
  content.back().text += text;
  bytes_ += text.size();
}

// Returns true if a piece with the index of `call` begins another one. Some servers give all calls
// the same index. Others repeat the name and change the id in every piece of one call.
bool OpenAiReply::begins_call(std::size_t at, const CallPiece& piece) const {
  const RequestedCall& call = reply_.message.calls[at];
  const bool is_closed = places_[at].state == JsonExtent::State::kClosed;
  const bool has_same_id = !piece.id.empty() && piece.id == call.id;
  if (piece.name.empty() || (has_same_id && (piece.index || !is_closed))) return false;
  const bool has_other_id = !piece.id.empty() && !call.id.empty();
  if (!is_closed) {
    return has_other_id && !piece.name.starts_with(call.name);
  }
  const bool repeats = piece.name == call.name &&
                       (trim(piece.arguments).empty() || piece.arguments == call.arguments);
  return has_other_id || !repeats;
}

// Returns the index of the call that a piece belongs to; one past the last if it starts a call.
std::size_t OpenAiReply::place_of(const CallPiece& piece) const {
  const auto& calls = reply_.message.calls;
  if (whole_) return calls.size();
  const bool repeats_id = !calls.empty() && calls.back().id == piece.id;
  if (!piece.index && !piece.id.empty() && !repeats_id) return calls.size();
  // Searches backwards: if several calls share an index, the last one continues.
  const auto found = std::find_if(
      places_.rbegin(), places_.rend(),
      [&piece](const CallPlace& place) { return !piece.index || place.index == *piece.index; });
  if (found == places_.rend()) return calls.size();
  const std::size_t at = static_cast<std::size_t>(places_.rend() - found) - 1;
  return begins_call(at, piece) ? calls.size() : at;
}

void OpenAiReply::add_call(const CallPiece& piece) {
  auto& calls = reply_.message.calls;
  const std::size_t at = place_of(piece);
  if (at == calls.size()) {
    calls.emplace_back();
    places_.push_back({piece.index.value_or(static_cast<std::int64_t>(at))});
  }
  CallPlace& place = places_[at];
  for (const char c : piece.arguments) {
    if (place.state == JsonExtent::State::kOpen) place.state = place.arguments.take(c);
  }
  RequestedCall& call = calls[at];
  if (call.id.empty()) call.id = piece.id;
  // A name may be repeated, grow, or arrive in parts.
  call.name = piece.name.starts_with(call.name) ? piece.name : call.name + piece.name;
  call.arguments += piece.arguments;
  bytes_ += piece.id.size() + piece.name.size() + piece.arguments.size();
}

void OpenAiReply::read_usage(ReplyJson& json) {
  usage_.said |= json.kind() == JsonCursor::Kind::kObject;
  json.loose_members([&](std::string_view name) {
    if (name == "prompt_tokens") {
      usage_.usage.prompt_tokens = json.loose_count().value_or(0);
    } else if (name == "completion_tokens") {
      usage_.usage.generated_tokens = json.loose_count().value_or(0);
    } else if (name == "prompt_tokens_details") {
      json.loose_members([&](std::string_view detail) {
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
  json.loose_members([&](std::string_view name) {
    if (name == "cache_n") {
      usage.cached_tokens = json.loose_count().value_or(0);
    } else if (name == "prompt_n") {
      evaluated = json.loose_count().value_or(0);
    } else if (name == "predicted_n") {
      usage.generated_tokens = json.loose_count().value_or(0);
    } else if (name == "prompt_ms") {
      usage.prompt_ms = json.loose_real();
    } else if (name == "predicted_ms") {
      usage.generate_ms = json.loose_real();
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
  Choice native;  // of Ollama's own API, which has no "choices"
  std::string error;
  std::string flat_error;
  json.members([&](std::string_view name) {
    if (name == "choices") {
      json.elements([&](std::size_t) {
        has_choices = true;
        read_choice(json);
      });
    } else if (name == "usage") {
      read_usage(json);
    } else if (name == "prompt_eval_count" || name == "eval_count") {  // of Ollama's own API
      usage_.said = true;
      long long& tokens =
          name == "eval_count" ? usage_.usage.generated_tokens : usage_.usage.prompt_tokens;
      tokens = json.loose_count().value_or(0);
    } else if (name == "timings") {
      read_timings(json);
    } else if (name == "error") {
      error = read_server_error(json);
    } else if (name == "object" && json.kind() == JsonCursor::Kind::kText) {
      const std::string object = json.text();
      is_complete_ |= object == "chat.completion";
      if (object == "error" && flat_error.empty()) flat_error = "an error without a message";
    } else if (name == "message" && json.kind() == JsonCursor::Kind::kObject) {
      read_message(json, native);
    } else if (name == "done_reason") {
      native.finish_reason = json.loose_text();
    } else if (name == "message" || name == "detail" || name == "text") {
      flat_error = shown_error(json.loose_text());
    } else {
      return false;
    }
    return true;
  });
  if (!has_choices && !native.empty()) add(json, native);
  has_choices |= !native.empty();
  PEDRO_RETURN_IF_ERROR(json.finish());
  if (!has_choices && error.empty()) error = flat_error;
  if (!error.empty()) return Error{ErrorKind::kModel, "the server reports: " + error};
  if (whole_ && !has_choices) return Error{ErrorKind::kModel, "expected \"choices\""};
  reply_.usage = usage_.said ? usage_.usage : timings_.usage;
  reply_.usage.prompt_ms = timings_.usage.prompt_ms;
  reply_.usage.generate_ms = timings_.usage.generate_ms;
  return {};
}

Status OpenAiReply::feed(std::string_view event) {
  if (error_) return *error_;
  const auto parts = whole_ ? std::vector{event} : events_in(event);
  if (parts.size() > 1) {
    for (const std::string_view part : parts) (void)feed(part);
    return error_ ? Status(*error_) : Status();
  }
  ++events_;
  Status status;
  if (event.size() > limits_.max_bytes) {
    status = too_long(event.size(), limits_);
  } else if (done_) {
    status = read_late(event);
  } else if (ends_openai_stream(event)) {
    done_ = true;
  } else if (whole_ || holds_json(event)) {
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
  const bool is_only_message = has_message_ && events_ == 1;
  const bool is_over = (done_ || is_complete_ || is_only_message) && has_content;
  if (!error_ && !whole_ && reply_.stop == StopCause::kNotSaid) {
    if (is_over) {
      end_without_reason(reply_);
    } else {
      error_ = cut_error(events_, "finish_reason");
    }
  }
  if (error_) return *error_;
  return std::move(reply_);
}

bool ends_openai_stream(std::string_view event) {
  std::string_view word = trim(event);
  if (word.starts_with('"') && word.ends_with("]\"")) word = word.substr(1, word.size() - 2);
  return word.size() == kDone.size() && to_lower(word) == kDone;
}

Result<ModelReply> read_openai_reply(std::string_view body, const ReplyLimits& limits) {
  OpenAiReply reply(limits);
  reply.whole_ = true;
  (void)reply.feed(body);
  return reply.finish();
}

}  // namespace pedro
