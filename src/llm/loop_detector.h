#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pedro {

/// Detects a loop in a reply during generation: a tail that repeats one unit of up to kMaxPeriod
/// tokens. Constant work per token, constant memory.
///
///   LoopDetector loop;
///   if (loop.add(id, has_letter(text))) hang_up();
///
/// A loop has at least kRepetitions repetitions. They have kLoopWords tokens with a letter, or
/// kLoopTokens tokens of any kind. Tables of zeros, drawings and indentation are shorter.
class LoopDetector {
 public:
  static constexpr std::size_t kMaxPeriod = 256;
  static constexpr std::size_t kRepetitions = 4;
  static constexpr std::size_t kLoopWords = 128;
  static constexpr std::size_t kLoopTokens = 384;

  /// Adds the next token, or a hash of a piece of text. Returns true if the tokens end with a loop.
  bool add(std::uint64_t token, bool has_letter);

 private:
  struct Token {
    std::uint64_t token = 0;
    bool has_letter = false;
  };
  const Token& back(std::size_t distance) const { return last_[(count_ - distance) % kMaxPeriod]; }
  bool is_loop(std::size_t period) const;

  std::array<Token, kMaxPeriod> last_;                 // ring buffer
  std::array<std::size_t, kMaxPeriod + 1> runs_ = {};  // tokens that equal the one a period before
  std::size_t count_ = 0;
};

bool has_letter(std::string_view text);

/// A LoopDetector for text in pieces of any size. Its tokens are words, and runs of one other byte,
/// of at most 16 bytes.
class TextLoopDetector {
 public:
  bool add(std::string_view text);

 private:
  LoopDetector loop_;
  std::uint64_t hash_ = 0;  // of the current token
  std::size_t bytes_ = 0;   // length of the current token
  char kind_ = 0;           // repeated byte of the current token, or 'a' for a word
  bool has_letter_ = false;
};

}  // namespace pedro
