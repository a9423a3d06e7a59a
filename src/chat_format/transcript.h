#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/call_form.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The tokens after a prompt: a reply with its given beginning.
struct ReplyTokens {
  std::vector<TokenId> ids;
  long long cached =
      0;  ///< number of these tokens in the server's cache; -1: it lacks the prompt's last token
  ReplyEnd end = ReplyEnd::kByModel;
};

/// A conversation as the token ids that a server sees, in a family's format. It grows at its end:
/// the next prompt is the last one, the generated tokens and the new messages. A prefix cache
/// therefore has everything before the new messages. Only compact(), forget_open_turn() and
/// withdraw_reply() remove ids. Text of a file or an issue never becomes a control token. Borrows
/// the family and the tokenizer; not thread-safe.
///
///     Transcript transcript(family, tokenizer);
///     PEDRO_RETURN_IF_ERROR(transcript.extend(chat, nullptr));
///     // send transcript.ids(), then append the reply's tokens
class Transcript {
 public:
  Transcript(const FormatFamily& family, Tokenizer& tokenizer)
      : family_(&family), encoder_(tokenizer), tokenizer_(&tokenizer) {}

  /// Appends the new messages, the opening of a reply, and `lead`, the beginning of the reply.
  /// `chat` must begin with the messages and tools given before, and the reply if one was
  /// generated. It must not end with that reply. Without a reply, the same conversation may be
  /// given again with the same lead. Errors are those of rendering and of the tokenizer.
  Status extend(const ChatRequest& chat, const Prompt* lead);

  /// Removes everything after the last reply. The next conversation may differ from there on.
  void forget_open_turn();

  /// Removes the last reply and everything after the reply before it. Requires that nothing
  /// followed the last reply.
  void withdraw_reply();

  /// Opens the next replies like `family`, which must equal the first one in everything else.
  void open_as(const FormatFamily& family) { family_ = &family; }

  /// Appends the beginning of a reply, after extend(). It is part of the prompt for the generated
  /// tokens. The model has evaluated the first `evaluated` tokens.
  void begun(std::span<const TokenId> tokens, std::size_t evaluated);

  /// Appends the generated tokens of a reply, the conversation's next message. `ended`: the last
  /// token ends the turn (end of generation). It is omitted, because the family writes the end of
  /// turns. `end`: the position at which the reply stops. `exact`: the number of leading tokens
  /// that are the model's own; the others have the same text.
  void generated(std::span<const TokenId> tokens, bool ended, ReplyEnd end,
                 std::size_t exact = static_cast<std::size_t>(-1));
  /// The same for a reply of which the model evaluated only the first `evaluated` tokens.
  void written(std::span<const TokenId> tokens, std::size_t evaluated, ReplyEnd end);

  /// Returns the tokens that begun(), generated() and written() appended since extend(). Requires a
  /// reply.
  ReplyTokens last_reply() const;
  /// Appends such tokens again, after extend(), when a conversation is replayed.
  void restore(const ReplyTokens& reply);

  /// Replaces the conversation by a shorter one. `chat` has its remaining messages, with unchanged
  /// replies. `origins` has the old index of each message in order, or kChanged for new or changed
  /// text (not for replies). Replies keep their ids. The ids before a reply stay too, if the
  /// messages are unchanged; others are rendered again. extend() adds the messages after the last
  /// reply. After an Error nothing has changed.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);
  Status compact(const ChatRequest& chat, std::span<const std::size_t> origins);

  /// The token ids of the prompt.
  const std::vector<TokenId>& ids() const { return ids_; }

  /// The number of ids in the cache of a server that evaluated the last prompt and its reply. The
  /// last generated token is missing, because it was sampled but not evaluated. 0 before the first
  /// reply. After compact(): the part of these that the new ids begin with.
  long long expected_cached() const { return expected_cached_; }

 private:
  // A reply with the ids before it from its request.
  struct Round {
    std::size_t begin = 0;          // start of the messages, the opening and the lead
    std::size_t reply = 0;          // start of the reply
    std::size_t end = 0;            // end of the reply
    std::size_t first_message = 0;  // first one after the previous reply
    std::size_t reply_message = 0;
    std::size_t lead = 0;                   // index in leads_
    const FormatFamily* opening = nullptr;  // the family that opened the reply
    ReplyEnd ended = ReplyEnd::kByModel;
  };

  Result<Prompt> rest_of(const ChatRequest& chat) const;
  Status open(const Prompt& prompt, std::vector<TokenId>& ids);
  std::size_t number_of_lead(const Prompt* lead);
  const Round& round_of(std::size_t reply_message) const;
  const Round* unchanged_round(std::span<const std::size_t> origins, const Round* before,
                               std::size_t first, std::size_t reply_message) const;
  Status copy_round(const Round& old, const Round* before, const Round* same, std::size_t first,
                    const ChatRequest& so_far, std::vector<TokenId>& ids);

  const FormatFamily* family_;
  PromptEncoder encoder_;
  Tokenizer* tokenizer_;
  std::vector<TokenId> ids_;
  std::size_t messages_ = 0;       // number of messages in ids_
  std::optional<ReplyEnd> reply_;  // set if the last of them is generated
  long long expected_cached_ = 0;
  std::vector<Round> rounds_;  // of the replies in ids_
  Round open_round_;           // of the next reply
  std::vector<Prompt> leads_;  // index 0: no lead
};

}  // namespace pedro
