#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "llama/given_prompt.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Contents that spell control tokens, in all the places that a conversation of an agent has for
/// what comes from elsewhere: that none becomes one, that this is what the server evaluates, and
/// how many become one when the server writes the conversation itself.
class Injection {
 public:
  /// `slots` is the folder of the server's --slot-save-path.
  Injection(const FormatFamily& family, VocabularyTokenizer& tokenizer, LlamaClient& client,
            std::string slots);

  /// How many contents are not what they should be; each is printed, and what all come to.
  /// `with_tools`: the server's template writes tools.
  std::size_t run(bool with_tools);
  /// Prints what the same contents become by the server's chat template.
  void print_by_server(Thinking thinking);

 private:
  /// The body of an issue, a file, the output of a tool, a user's text, a remote tool's name.
  static constexpr std::size_t kPlaces = 5;
  using Contents = std::array<std::string, kPlaces>;

  static Contents everywhere(const std::string& content);
  Json conversation(const Contents& contents) const;
  bool has_calls() const;
  std::vector<TokenId> ours(const Contents& contents);
  /// The control tokens among these.
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
  std::set<TokenId> tags_;  // tokens of the family that are no control tokens
};

}  // namespace pedro
