#pragma once

#include <cstdint>
#include <initializer_list>
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
///   text       `content`, as a string or as chunks of {"type": "text"}; `refusal`.
///   thinking   `reasoning_content`, or `reasoning`.
///   calls      `tool_calls`, in the order of their starts, or `function_call`. A known `index` (or
///              no `id`) continues that call, unless it is complete and the piece has a name
///   usage      `usage`, or else llama-server's own `timings`.
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

/// Reads a reply of Anthropic's POST /v1/messages, also of llama-server, while it arrives. The
/// server is untrusted.
///
///   text       blocks of `text`.
///   thinking   blocks of `thinking`, with their signatures, and `redacted_thinking`.
///   calls      blocks of `tool_use`: verbatim `input`, or the joined `input_json_delta`s.
///   begin      `message_start`; llama-server's streams may omit it and its prompt tokens.
///   usage      the prompt is `input_tokens` plus tokens read from and written to the cache.
///
/// Blocks are kept in the order of their starts. A text or thinking needs no start, and several
/// blocks may have one index. Blocks, deltas and events of unknown types are skipped, because the
/// API may add types. A reason counts if no content follows it. Errors (kModel) name the event and
/// the position in it. After an error, every call returns it again. Use one object per reply; one
/// thread at a time.
class AnthropicReply {
 public:
  explicit AnthropicReply(const ReplyLimits& limits = {}) : limits_(limits) {}

  /// Reads the data of the next server-sent event: an event, or a whole message. `name` is its type
  /// if the data has none. Ignores "[DONE]" and events without an object. Error: the data is
  /// invalid, the server reports an error, content follows the end, or a limit is exceeded.
  Status feed(std::string_view event, std::string_view name = {});
  /// Ends the stream. Error: the reply is incomplete: neither a `stop_reason` nor its last event.
  Result<ModelReply> finish();
  /// The reply so far.
  const ModelReply& so_far() const { return reply_; }

 private:
  friend Result<ModelReply> read_anthropic_reply(std::string_view, const ReplyLimits&);

  /// The members of a `content_block` or `delta` of any type.
  struct Piece {
    std::string type = {};
    std::string text = {};
    std::string thinking = {};
    std::optional<std::string> signature = {};
    std::string data = {};
    std::string id = {};
    std::string name = {};
    std::string input = {};
    std::string partial_json = {};
    std::string stop_reason = {};
  };
  /// A block that has started.
  struct Block {
    enum class Kind { kText, kThinking, kCall, kOther };
    std::int64_t index = 0;
    Kind kind = Kind::kOther;
    std::size_t place = 0;                        // in the message's content, or calls
    std::optional<std::string> first_input = {};  // of kCall: in the start, replaced by deltas
  };
  struct Message {
    bool has_content = false;
    std::vector<Piece> content;
    std::string stop_reason;
  };
  struct Event {
    std::string type = {};
    std::string error = {};
    std::int64_t index = 0;
    Piece piece = {};
    Message message = {};  // of a stream's start, or of a whole body
  };

  Status read(std::string_view text, std::string_view name);
  Status begin(const Message& message);
  Status take(const Event& event);
  void withdraw_reason();
  void end();
  Status begin_block(std::int64_t index, const Piece& piece);
  Status add_delta(std::int64_t index, const Piece& piece);
  void end_block(std::int64_t index);
  Status add_to_call(Block& block, const std::string& input);
  Block* find_block(std::int64_t index, std::initializer_list<Block::Kind> kinds);
  static Block::Kind kind_of(const Piece& piece);
  Status check_size() const;
  static Piece read_piece(ReplyJson& json);
  bool read_event_member(ReplyJson& json, std::string_view name, Event& event);
  bool read_message_member(ReplyJson& json, std::string_view name, Message& message);
  void read_usage(ReplyJson& json);
  void drop_empty();

  ReplyLimits limits_;
  ModelReply reply_;
  std::vector<Block> blocks_;
  std::int64_t input_tokens_ = 0;
  std::int64_t cache_read_tokens_ = 0;
  std::int64_t cache_written_tokens_ = 0;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;  // of stored content
  bool whole_ = false;     // reads a body, not a stream
  bool begun_ = false;
  bool done_ = false;
  std::optional<Error> error_;
};

/// Reads the whole body of a reply that was not streamed.
Result<ModelReply> read_anthropic_reply(std::string_view body, const ReplyLimits& limits = {});

}  // namespace pedro
