#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grammar/match.h"

namespace pedro {

/// Whether replies are what their grammar allows. A server that was seen to obey one may stop: it
/// was started anew, or something between us and it forwards only what it knows. One thread.
class GrammarWatch {
 public:
  /// Whether `text` is of the grammar (GBNF): all of one of its texts, or the beginning of one
  /// where it was `cut`. True where that cannot be said of bytes: a grammar that asks for tokens by
  /// their ids, or is beyond the limits of Matcher. The last grammar is kept compiled.
  bool obeys(const std::string& grammar, std::string_view text, bool cut);

 private:
  void compile(const std::string& grammar);

  std::string grammar_;
  std::optional<Matcher> start_;  // of grammar_, where it can be matched
};

}  // namespace pedro
