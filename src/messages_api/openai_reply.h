#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "call_parser/json_extent.h"
#include "messages_api/model_reply.h"
#include "messages_api/reply_json.h"

namespace pedro {

/// Reads a reply of POST /v1/chat/completions while it arrives: of OpenAI, Ollama, vLLM, LM Studio
/// and llama-server. The server is untrusted.
///
///   text       `content`, as a string or as chunks of {"type": "text"}; `refusal`
///   thinking   `reasoning_content`, or `reasoning`
///   calls      `tool_calls`, in the order of their starts, or `function_call`: a known `index` (or
///              no `id`) continues that call, unless it is complete and the piece has a name
///   usage      `usage`, or else llama-server's own `timings`
///
/// Reads only the first choice, or the `message` of Ollama's own API. Content may follow a
/// `finish_reason`. Ignores values of an unexpected type that are not needed. Errors (kModel) name
/// the event and the position in it. After an error, every call returns it again. Use one object
/// per reply; one thread at a time.
class OpenAiReply {
 public:
  explicit OpenAiReply(const ReplyLimits& limits = {}) : limits_(limits) {}

  /// Reads the data of the next server-sent event: a chunk, an error, or "[DONE]". Ignores events
  /// without an object, and all after "[DONE]" except a usage. Error: the data is invalid, the
  /// server reports an error, the content continues after "[DONE]", or a limit is exceeded.
  Status feed(std::string_view event);
  /// Ends the stream. Error: the reply is incomplete: neither a `finish_reason` nor "[DONE]".
  Result<ModelReply> finish();
  /// The reply so far.
  const ModelReply& so_far() const { return reply_; }

 private:
  friend Result<ModelReply> read_openai_reply(std::string_view, const ReplyLimits&);

  /// The part of a call in one event.
  struct CallPiece {
    std::optional<std::int64_t> index;
    std::string id;
    std::string name;
    std::string arguments;
  };
  struct Choice {
    std::int64_t index = 0;
    std::string text;
    std::string thinking;
    std::string refusal;
    std::vector<CallPiece> calls;
    std::string finish_reason;

    bool empty() const {
      return text.empty() && thinking.empty() && refusal.empty() && calls.empty() &&
             finish_reason.empty();
    }
  };
  /// A call of the reply, and the state of the JSON in its arguments.
  struct CallPlace {
    std::int64_t index = 0;
    JsonExtent arguments = JsonExtent();
    JsonExtent::State state = JsonExtent::State::kOpen;
  };
  struct Counts {
    Usage usage;
    bool said = false;
  };

  Status read(std::string_view event);
  void read_choice(ReplyJson& json);
  void read_message(ReplyJson& json, Choice& choice);
  void read_calls(ReplyJson& json, Choice& choice);
  CallPiece read_piece(ReplyJson& json);
  void read_usage(ReplyJson& json);
  void read_timings(ReplyJson& json);
  void add(ReplyJson& json, const Choice& choice);
  void add_text(ContentChunk::Kind kind, const std::string& text);
  bool begins_call(std::size_t at, const CallPiece& piece) const;
  void add_call(const CallPiece& piece);
  Status read_late(std::string_view event);
  std::size_t place_of(const CallPiece& piece) const;

  ReplyLimits limits_;
  ModelReply reply_;
  std::vector<CallPlace> places_;  // of the reply's calls
  Counts usage_;
  Counts timings_;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;  // of stored content
  bool whole_ = false;     // reads a body, not a stream
  bool refused_ = false;
  bool done_ = false;
  bool is_complete_ = false;  // an event is a whole answer, not a part of a stream
  bool has_message_ = false;  // an event has a whole message
  std::optional<std::int64_t> first_choice_;
  std::optional<Error> error_;
};

/// Returns true for the last event of a stream, "[DONE]" in any case.
bool ends_openai_stream(std::string_view event);

/// Reads the whole body of a reply that was not streamed.
Result<ModelReply> read_openai_reply(std::string_view body, const ReplyLimits& limits = {});

}  // namespace pedro
