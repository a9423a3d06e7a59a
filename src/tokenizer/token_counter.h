#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Counts the tokens of a text that comes in parts, cut anywhere, in memory that does not grow with
/// it: about kPartBytes. It is cut again where no tokenizer merges (a word's end before " word", a
/// line's end before a letter or a digit; see text_cut.h). Borrows the tokenizer. One thread.
///
/// Where a text has no such place for kMaxPartBytes, it is cut all the same, and the count may be
/// off by one or two: see is_exact(). A foreign pattern may do anything, so that such a vocabulary
/// keeps the whole text, up to what its tokenizer takes.
class TokenCounter {
 public:
  static constexpr std::size_t kPartBytes = std::size_t{1} << 18;
  static constexpr std::size_t kMaxPartBytes = std::size_t{1} << 21;

  TokenCounter(VocabularyTokenizer& tokenizer, Specials specials)
      : tokenizer_(tokenizer), specials_(specials) {}

  /// `hear` is given each part before it is counted. Call it first.
  void on_part(std::function<void(std::string_view part, TextPlace where)> hear) {
    hear_ = std::move(hear);
  }

  /// Errors are those of VocabularyTokenizer::count().
  Status add(std::string_view bytes);
  /// The count of all that was added. Call it once.
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
  std::size_t searched_ = 0;  // there is no place to cut in the first so many bytes of rest_
  bool begun_ = false;
  bool exact_ = true;
};

}  // namespace pedro
