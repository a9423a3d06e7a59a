#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"

namespace pedro {

class TodoPool;

/// A position in a grammar, after a prefix of one of its texts. Holds the grammar of the possible
/// continuations: the derivative of the grammar by that prefix (Brzozowski 1964). Represents rules
/// by stacks of expressions that are still to be matched.
///
/// Matcher is optimized for speed and works on bytes. This class is for writing grammars and
/// supports tokens. It walks the grammar's expressions one character at a time (about 1 us each). A
/// token with an id and a text is matched by that text.
///
/// A value. Copies share a pool and must stay on one thread.
class GrammarPlace {
 public:
  /// The lookahead of forced_text(), in bytes.
  static constexpr std::size_t kMaxForced = 4096;

  /// Starts at the beginning of the grammar. Errors (kConfig): no root, an undefined rule, left
  /// recursion; kLimit as in accept().
  static Result<GrammarPlace> begin(std::shared_ptr<const Gbnf> grammar);

  /// Consumes characters as long as they match and returns the number of bytes consumed. An invalid
  /// UTF-8 sequence does not match. Error (kLimit): the text can be at more than 4,096 positions;
  /// the object must not be used afterwards.
  Result<std::size_t> accept(std::string_view text);

  /// Returns true if the text so far is a complete text of the grammar.
  bool is_complete() const { return complete_; }
  /// Returns true if more text may follow.
  bool can_continue() const { return !open_.empty(); }

  /// Returns the only possible continuation, up to a token with an id. Returns "" if there is a
  /// choice or the text may end here.
  std::string forced_text() const;

  /// Returns the token with an id that must come next, or null.
  const Token* forced_token() const;

  /// Returns the beginnings of the possible continuations, in the grammar's order. Each is long
  /// enough to differ from the others, but at most about `max_bytes` long. Every continuation
  /// begins with exactly one of them or is a prefix of one. Returns an empty list if a class or a
  /// token with an id may come next. The same applies if the text may end here, for more than
  /// `max_choices`, and for non-ASCII beginnings.
  std::vector<std::string> choices(std::size_t max_bytes = 32, std::size_t max_choices = 256) const;

  /// The grammar of the possible continuations. May nest a little deeper than the original grammar.
  Gbnf rest() const;

 private:
  GrammarPlace(std::shared_ptr<const Gbnf> grammar, std::shared_ptr<TodoPool> pool)
      : grammar_(std::move(grammar)), pool_(std::move(pool)) {}

  Status stand();
  Result<bool> step(std::string_view character);
  void collect_garbage();
  /// Returns the only possible next character, or "".
  std::string_view only_character() const;
  /// Returns the possible next characters, or nothing if a class or a token is possible.
  std::vector<std::string_view> characters() const;

  std::shared_ptr<const Gbnf> grammar_;
  std::shared_ptr<TodoPool> pool_;
  std::vector<std::uint32_t> stacks_;  // what is still to be matched, before follow()
  std::vector<std::uint32_t> open_;    // expanded until each top consumes a character
  bool complete_ = false;
};

}  // namespace pedro
