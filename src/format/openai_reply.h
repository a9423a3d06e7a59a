#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/model_reply.h"
#include "format/reply_json.h"

namespace pedro {

/// Reads an answer of POST /v1/chat/completions while it comes: OpenAI's, and as Ollama, vLLM, LM
/// Studio and llama-server write it. The server is hostile.
///
///   text       `content`, as a string or as chunks of {"type": "text"}; `refusal`
///   thinking   `reasoning_content`, or `reasoning`
///   calls      `tool_calls`, in the order in which they begin: what has an `index` (or no `id`)
///              that was there before goes on with that call; a new `id` with a name is a new call
///   usage      `usage`, or else `timings`, which llama-server has of its own
///
/// Only the first choice is read. Errors (kModel) name the event and the place in it; after one,
/// every call gives it again. A value of one reply; one thread at a time.
class OpenAiReply {
 public:
  explicit OpenAiReply(const ReplyLimits& limits = {}) : limits_(limits) {}

  /// The data of the next server-sent event: a chunk, an error, or "[DONE]". An Error where it is
  /// none, where the server reports one, where it is behind the end, or more than the limits allow.
  Status feed(std::string_view event);
  /// The stream is at its end. An Error where the reply is not: it has no `finish_reason`.
  Result<ModelReply> finish();
  /// What there is of the reply.
  const ModelReply& so_far() const { return reply_; }

 private:
  friend Result<ModelReply> read_openai_reply(std::string_view, const ReplyLimits&);

  /// A part of a call, as one event has it.
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
      return text.empty() && thinking.empty() && refusal.empty() && calls.empty();
    }
  };
  struct Counts {
    Usage usage;
    bool said = false;
  };

  Status read(std::string_view json);
  void read_choice(ReplyJson& json);
  void read_message(ReplyJson& json, Choice& choice);
  void read_calls(ReplyJson& json, Choice& choice);
  void read_usage(ReplyJson& json);
  void read_timings(ReplyJson& json);
  void add(ReplyJson& json, const Choice& choice);
  void add_text(ContentChunk::Kind kind, const std::string& text);
  void add_call(ReplyJson& json, const CallPiece& piece);
  void stop(ReplyJson& json, const std::string& reason);
  std::size_t place_of(const CallPiece& piece) const;

  ReplyLimits limits_;
  ModelReply reply_;
  std::vector<std::int64_t> indexes_;  // of the calls of the reply
  Counts usage_;
  Counts timings_;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;  // that are kept
  bool whole_ = false;     // a body, not a stream
  bool refused_ = false;
  bool done_ = false;
  std::optional<Error> error_;
};

/// Reads the whole body of an answer that was not streamed.
Result<ModelReply> read_openai_reply(std::string_view body, const ReplyLimits& limits = {});

}  // namespace pedro
