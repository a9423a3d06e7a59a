#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/call_form.h"
#include "format/format_family.h"
#include "format/prompt_encoder.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// What stands behind a prompt: the tokens of a reply, and of what it was begun with.
struct ReplyTokens {
  std::vector<TokenId> ids;
  long long cached =
      0;  ///< a server has so many of them in its cache; -1: it lacks the prompt's last
  ReplyEnd end = ReplyEnd::kByModel;
};

/// A conversation as the token ids a server sees, in the words of a family. It is appended to: the
/// next prompt is the last one + the tokens the model generated + the new messages, so a prefix
/// cache misses nothing. Only compact() takes something out. What a file or an issue says can never
/// become a control token. Borrows the family and the tokenizer; not thread-safe.
class Transcript {
 public:
  Transcript(const FormatFamily& family, Tokenizer& tokenizer)
      : family_(&family), encoder_(tokenizer), tokenizer_(&tokenizer) {}

  /// Appends the messages that are not in yet, the opening of a reply, and `lead`, with which the
  /// reply is to begin. `chat` must begin with the messages and tools given before, with the reply
  /// behind them once one was generated, and must not end with it. Where none came, the same
  /// conversation may be given again, with the same lead.
  Status extend(const ChatRequest& chat, const Prompt* lead);

  /// What stands behind the last reply is forgotten, as if it had never come in: another
  /// conversation may be given that is the same up to there.
  void forget_open_turn();

  /// Removes the last reply and everything after the reply before it. Requires that nothing
  /// followed the last reply.
  void withdraw_reply();

  /// The next reply is opened as `family` has it, which differs from the first in nothing else.
  void open_as(const FormatFamily& family) { family_ = &family; }

  /// Appends what a reply begins with, after extend(): it is prompt to what is generated behind it.
  /// The model has evaluated the first `evaluated` of the tokens.
  void begun(std::span<const TokenId> tokens, std::size_t evaluated);

  /// Appends the tokens of a reply as they were generated; the conversation's next message is that
  /// reply. `ended`: the last token ends the turn (end of generation); it is left out, for the
  /// family ends turns. `end`: where the reply stops. `exact`: so many of the first tokens are the
  /// model's own; the others have the same text.
  void generated(std::span<const TokenId> tokens, bool ended, ReplyEnd end,
                 std::size_t exact = static_cast<std::size_t>(-1));
  /// The same of a reply of which only the first `evaluated` tokens went through the model.
  void written(std::span<const TokenId> tokens, std::size_t evaluated, ReplyEnd end);

  /// What the last of these three appended since extend(). There must have been a reply.
  ReplyTokens last_reply() const;
  /// Appends the same once more, after extend(), where the conversation is gone through again.
  void restore(const ReplyTokens& reply);

  /// The conversation is a shorter one now: `chat` has what is left of the one that is in here,
  /// with every reply as it was. `origins` has, for each of its messages, which one it was before,
  /// or kChanged where it has another text or is new; in order, and never kChanged for a reply.
  /// What a reply was made of stays, id for id, and so does what stands in front of it, where that
  /// is unchanged; the rest is written anew. Messages behind the last reply come in with extend().
  /// After an Error nothing has changed.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);
  Status compact(const ChatRequest& chat, std::span<const std::size_t> origins);

  /// The prompt.
  const std::vector<TokenId>& ids() const { return ids_; }

  /// How many ids a server that evaluated the last prompt and its reply has in its cache:
  /// everything but the last token generated, which was sampled and never evaluated. 0 before the
  /// first reply. After compact() that of it with which the new ids begin.
  long long expected_cached() const { return expected_cached_; }

 private:
  // A reply and what was put in front of it when it was asked for.
  struct Round {
    std::size_t begin = 0;          // of ids: messages, the opening of the reply, its lead
    std::size_t reply = 0;          // where the reply begins
    std::size_t end = 0;            // and ends
    std::size_t first_message = 0;  // behind the reply before
    std::size_t reply_message = 0;
    std::size_t lead = 0;                   // of leads_
    const FormatFamily* opening = nullptr;  // that opened the reply
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
  std::size_t messages_ = 0;       // of the conversation that are in ids_
  std::optional<ReplyEnd> reply_;  // the last of them is a generated one
  long long expected_cached_ = 0;
  std::vector<Round> rounds_;  // of the replies that are in ids_
  Round open_round_;           // of the reply that is to come
  std::vector<Prompt> leads_;  // the first is none
};

}  // namespace pedro
