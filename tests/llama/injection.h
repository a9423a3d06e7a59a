#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "llama/given_prompt.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Contents that spell control tokens, in all places of an agent's conversation with untrusted
/// text. Checks that none becomes a control token, and that the server evaluates exactly our
/// tokens. Prints how many become one when the server renders the conversation itself.
class Injection {
 public:
  /// `slots` is the folder of the server's --slot-save-path.
  Injection(const FormatFamily& family, VocabularyTokenizer& tokenizer, LlamaClient& client,
            std::string slots);

  /// Returns the number of contents with errors. Prints each of them, and the totals. `with_tools`:
  /// the server's template renders tools.
  std::size_t run(bool with_tools);
  /// Prints the tokens of the same contents in the server's chat template.
  void print_by_server(Thinking thinking);

 private:
  /// The body of an issue, a file, the output of a tool, a user's text, a remote tool's name.
  static constexpr std::size_t kPlaces = 5;
  using Contents = std::array<std::string, kPlaces>;

  static Contents everywhere(const std::string& content);
  Json conversation(const Contents& contents) const;
  bool has_calls() const;
  std::vector<TokenId> ours(const Contents& contents);
  /// Returns the control tokens among these ids.
  std::vector<TokenId> controls_in(const std::vector<TokenId>& ids) const;
  std::size_t count_through();
  std::size_t count_served_wrong();
  bool is_served(const std::vector<TokenId>& ids);

  const FormatFamily& family_;
  VocabularyTokenizer& tokenizer_;
  LlamaClient& client_;
  std::string slots_;
  bool with_tools_ = true;
  std::vector<std::string> contents_;
  std::set<TokenId> tags_;  // tokens of the family that are not control tokens
};

}  // namespace pedro
