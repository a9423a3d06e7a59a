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

/// Reads an answer of Anthropic's POST /v1/messages while it comes, llama-server's too. The server
/// is hostile.
///
///   text       blocks of `text`
///   thinking   blocks of `thinking`, with their signatures, and `redacted_thinking`
///   calls      blocks of `tool_use`: `input` as it is written, or what `input_json_delta`s come to
///   begin      `message_start`; llama-server's streams may lack it, and then say no prompt
///   usage      the prompt is `input_tokens` and what was read from or written to the cache
///
/// Blocks are kept in the order in which they begin. Blocks, deltas and events of other types are
/// skipped: the API may get new ones. Errors (kModel) name the event and the place in it; after
/// one, every call gives it again. A value of one reply; one thread at a time.
class AnthropicReply {
 public:
  explicit AnthropicReply(const ReplyLimits& limits = {}) : limits_(limits) {}

  /// The data of the next server-sent event. An Error where it is none or not in its place, where
  /// the server reports one, or where it is more than the limits allow.
  Status feed(std::string_view event);
  /// The stream is at its end. An Error where the reply is not: it has no `stop_reason`.
  Result<ModelReply> finish();
  /// What there is of the reply.
  const ModelReply& so_far() const { return reply_; }

 private:
  friend Result<ModelReply> read_anthropic_reply(std::string_view, const ReplyLimits&);

  /// A `content_block` or a `delta`: members of any type of them.
  struct Piece {
    std::string type;
    std::string text;
    std::string thinking;
    std::optional<std::string> signature;
    std::string data;
    std::string id;
    std::string name;
    std::string input;
    std::string partial_json;
    std::string stop_reason;
  };
  /// A block that has begun.
  struct Block {
    enum class Kind { kText, kThinking, kCall, kOther };
    std::int64_t index = 0;
    Kind kind = Kind::kOther;
    std::size_t place = 0;  // in the message's content, or calls
    bool open = true;
    bool has_only_start = true;  // of kCall: no piece of the input has come
  };
  struct Message {
    bool has_content = false;
    std::vector<Piece> content;
    std::string stop_reason;
  };
  struct Event {
    std::string type;
    std::string error;
    std::int64_t index = 0;
    Piece piece;
    Message message;  // of a stream's begin; a body is one
  };

  Status read(std::string_view json);
  Status begin(const Message& message);
  Status take(const Event& event);
  Status begin_block(std::int64_t index, const Piece& piece);
  Status add_delta(std::int64_t index, const Piece& piece);
  Status end_block(std::int64_t index);
  Status add_to_call(Block& block, const std::string& input);
  Status stop(const std::string& reason);
  Result<Block*> open_block(std::int64_t index);
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
  std::size_t bytes_ = 0;  // that are kept
  bool whole_ = false;     // a body, not a stream
  bool begun_ = false;
  bool done_ = false;
  std::optional<Error> error_;
};

/// Reads the whole body of an answer that was not streamed.
Result<ModelReply> read_anthropic_reply(std::string_view body, const ReplyLimits& limits = {});

}  // namespace pedro
