#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "messages_api/model_reply.h"
#include "messages_api/reply_json.h"

namespace pedro {

/// Reads a reply of Anthropic's POST /v1/messages, also of llama-server, while it arrives. The
/// server is untrusted.
///
///   text       blocks of `text`
///   thinking   blocks of `thinking`, with their signatures, and `redacted_thinking`
///   calls      blocks of `tool_use`: verbatim `input`, or the joined `input_json_delta`s
///   begin      `message_start`; llama-server's streams may omit it and its prompt tokens
///   usage      the prompt is `input_tokens` plus tokens read from and written to the cache
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
