#include "llm/loop_detector.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxRunBytes = 16;

bool is_letter_byte(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code >= 0x80;
}

char kind_of(char byte) {
  return is_letter_byte(byte) || (byte >= '0' && byte <= '9') ? 'a' : byte;
}

}  // namespace

bool has_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_letter_byte);
}

bool LoopDetector::is_loop(std::size_t period) const {
  const std::size_t covered = runs_[period] + period;
  if (covered < kRepetitions * period) return false;
  if (covered >= kLoopTokens) return true;
  std::size_t words = 0;
  for (std::size_t i = 1; i <= period; ++i) words += back(i).has_letter ? 1 : 0;
  return words * covered >= kLoopWords * period;
}

bool LoopDetector::add(std::uint64_t token, bool has_letter) {
  const std::size_t known = std::min(count_, kMaxPeriod);
  for (std::size_t period = 1; period <= known; ++period) {
    runs_[period] = back(period).token == token ? runs_[period] + 1 : 0;
  }
  last_[count_++ % kMaxPeriod] = {token, has_letter};
  for (std::size_t period = 1; period <= known; ++period) {
    if (is_loop(period)) return true;
  }
  return false;
}

bool TextLoopDetector::add(std::string_view text) {
  bool is_loop = false;
  for (const char byte : text) {
    if (bytes_ > 0 && (kind_of(byte) != kind_ || bytes_ == kMaxRunBytes)) {
      is_loop = loop_.add(hash_, has_letter_) || is_loop;
      bytes_ = 0;
    }
    if (bytes_++ == 0) {
      hash_ = kHashSeed;
      kind_ = kind_of(byte);
      has_letter_ = false;
    }
    hash_ = hash_bytes({&byte, 1}, hash_);
    has_letter_ = has_letter_ || is_letter_byte(byte);
  }
  return is_loop;
}

}  // namespace pedro
