#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "format/turn_template.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A conversation as the token ids a server sees. Only ever appended to: the next prompt is the
/// last one + the tokens the model generated + the new turns, so a prefix cache misses nothing.
/// Template text is encoded with special tokens, contents without: what a file or an issue says can
/// never become a control token. Borrows the tokenizer; not thread-safe.
class Transcript {
 public:
  Transcript(Tokenizer& tokenizer, TurnTemplate turn_template)
      : tokenizer_(&tokenizer), template_(std::move(turn_template)) {}

  /// Appends the turns that are not in yet, and the opening of a reply. `conversation` must begin
  /// with the turns given before; it is an optional system turn, then user and assistant turns in
  /// alternation, and ends with a user turn.
  Status extend(std::span<const Message> conversation);

  /// Appends the tokens of a reply as they were generated. The assistant turn that the conversation
  /// then has in its place is not encoded again. `ended`: the last token closes the turn
  /// (end-of-generation); it is dropped, for the template closes the turn.
  void generated(std::span<const TokenId> tokens, bool ended);

  /// The prompt.
  const std::vector<TokenId>& ids() const { return ids_; }

  /// How many ids a server that evaluated the last prompt and its reply has in its cache:
  /// everything but the last token generated, which was sampled and never evaluated. 0 before the
  /// first reply.
  long long expected_cached() const { return expected_cached_; }

 private:
  /// A text that is tokenized for itself.
  struct Part {
    std::string text;
    Specials specials;
    std::string_view what;
  };
  static Part from_template(const std::string& text);
  Status open();
  void add_turn(const Message& turn, std::vector<Part>& parts);

  Tokenizer* tokenizer_;
  TurnTemplate template_;
  std::vector<TokenId> ids_;
  std::size_t turns_ = 0;       // of the conversation that are in ids_
  std::string pending_system_;  // written above the first user turn: the template has no system
  bool reply_is_in_ = false;    // generated() put the next assistant turn in already
  long long expected_cached_ = 0;
};

}  // namespace pedro
