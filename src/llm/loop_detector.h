#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pedro {

/// Finds a reply that repeats itself while it is generated: its tail is one unit of up to
/// kMaxPeriod tokens, again and again. Constant work per token, constant memory.
///
///   LoopDetector loop;
///   if (loop.add(id, has_letter(text))) hang_up();
///
/// Four repetitions that hold kLoopWords tokens with a letter are a loop; so are kLoopTokens tokens
/// of any kind. A table of zeros, a drawing or an indentation is shorter than that.
class LoopDetector {
 public:
  static constexpr std::size_t kMaxPeriod = 256;
  static constexpr std::size_t kRepetitions = 4;
  static constexpr std::size_t kLoopWords = 128;
  static constexpr std::size_t kLoopTokens = 384;

  /// Takes the next token, or a number that represents a piece of text. True where the tokens so
  /// far end with a loop.
  bool add(std::uint64_t token, bool has_letter);

 private:
  struct Token {
    std::uint64_t token = 0;
    bool has_letter = false;
  };
  const Token& back(std::size_t distance) const { return last_[(count_ - distance) % kMaxPeriod]; }
  bool is_loop(std::size_t period) const;

  std::array<Token, kMaxPeriod> last_;                 // a ring
  std::array<std::size_t, kMaxPeriod + 1> runs_ = {};  // tokens that equal the one a period before
  std::size_t count_ = 0;
};

bool has_letter(std::string_view text);

/// A LoopDetector of text, however it is cut into pieces: its tokens are words and runs of one
/// other byte, of at most 16 bytes.
class TextLoopDetector {
 public:
  bool add(std::string_view text);

 private:
  LoopDetector loop_;
  std::uint64_t hash_ = 0;  // of the token that has begun
  std::size_t bytes_ = 0;   // its length
  char kind_ = 0;           // its byte, or 'a' of a word
  bool has_letter_ = false;
};

}  // namespace pedro
