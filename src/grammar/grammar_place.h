#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/gbnf.h"

namespace pedro {

class TodoPool;

/// A place in a grammar: behind a text that one of its texts begins with. Knows the grammar of what
/// may follow, so that a text can be gone on with where it stands: the derivative of the grammar by
/// that text (Brzozowski 1964), for rules by way of stacks of what is still to be matched.
///
/// Where Matcher is made for speed and for bytes, this is made for writing grammars: it walks the
/// grammar's own expressions, one character at a time (about a microsecond each), and knows tokens.
/// A token with an id and a text is matched by that text.
///
/// A value; copies share what they were made from, and with it belong to one thread.
class GrammarPlace {
 public:
  /// How far forced_text() looks ahead, in bytes.
  static constexpr std::size_t kMaxForced = 4096;

  /// At the beginning. Errors (kConfig): no root, a rule that is not there, left recursion; kLimit
  /// as accept() has it.
  static Result<GrammarPlace> begin(std::shared_ptr<const Gbnf> grammar);

  /// Takes characters as long as they fit and returns how many bytes it took; a sequence that is
  /// no whole character does not fit. An Error (kLimit): the text can be at more than 4,096 places
  /// at once; the place is of no use after that.
  Result<std::size_t> accept(std::string_view text);

  /// The text so far is a whole one.
  bool is_complete() const { return complete_; }
  /// Something may follow.
  bool can_continue() const { return !open_.empty(); }

  /// The text that comes next whatever is written, up to a token that has an id; "" where there is
  /// a choice, or the text so far may be all.
  std::string forced_text() const;

  /// The token with an id that comes next whatever is written; null where there is none.
  const Token* forced_token() const;

  /// Where what comes next is one of a few texts: how each begins, at least as far as it differs
  /// from the others and at most about `max_bytes`, in the grammar's order. Each text that fits
  /// here begins with exactly one of them, or is a beginning of some. Nothing where a class of
  /// characters, a token with an id or the end may come before that, where there are more than
  /// `max_choices`, or where they are not ASCII.
  std::vector<std::string> choices(std::size_t max_bytes = 32, std::size_t max_choices = 256) const;

  /// The grammar of what may follow. Its expressions may nest a little deeper than the grammar's.
  Gbnf rest() const;

 private:
  GrammarPlace(std::shared_ptr<const Gbnf> grammar, std::shared_ptr<TodoPool> pool)
      : grammar_(std::move(grammar)), pool_(std::move(pool)) {}

  Status stand();
  Result<bool> step(std::string_view character);
  void collect_garbage();
  /// The one character that can come next, or "".
  std::string_view only_character() const;
  /// The characters that can come next, if they are a few.
  std::vector<std::string_view> characters() const;

  std::shared_ptr<const Gbnf> grammar_;
  std::shared_ptr<TodoPool> pool_;
  std::vector<std::uint32_t> stacks_;  // what is still to be matched, as it was left
  std::vector<std::uint32_t> open_;    // the same, followed up to what takes a character
  bool complete_ = false;
};

}  // namespace pedro
