#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Counts the tokens of a text that arrives in arbitrary parts, in constant memory: about
/// kPartBytes. Cuts at a word's end before " word" or a newline before a letter or digit, where no
/// tokenizer merges (text_cut.h). Borrows the tokenizer. Not thread-safe.
///
/// Cuts a text without such a position in kMaxPartBytes anyway. The count may then be off by one or
/// two (is_exact()). For vocabularies with regex patterns the whole text is kept, up to the limit
/// of the tokenizer.
class TokenCounter {
 public:
  static constexpr std::size_t kPartBytes = std::size_t{1} << 18;
  static constexpr std::size_t kMaxPartBytes = std::size_t{1} << 21;

  TokenCounter(VocabularyTokenizer& tokenizer, Specials specials)
      : tokenizer_(tokenizer), specials_(specials) {}

  /// Registers a function that receives each part before it is counted. Call it before add().
  void on_part(std::function<void(std::string_view part, TextPlace where)> hear) {
    hear_ = std::move(hear);
  }

  /// Errors are those of VocabularyTokenizer::count().
  Status add(std::string_view bytes);
  /// Returns the total count. Call it once.
  Result<std::size_t> finish();

  bool is_exact() const { return exact_; }

 private:
  Status count(std::size_t bytes);
  std::size_t last_cut();
  bool is_cut(std::size_t at) const;

  VocabularyTokenizer& tokenizer_;
  Specials specials_;
  std::function<void(std::string_view part, TextPlace where)> hear_;
  std::string rest_;
  std::size_t count_ = 0;
  std::size_t searched_ = 0;  // size of the prefix of rest_ without a cut
  bool begun_ = false;
  bool exact_ = true;
};

}  // namespace pedro
