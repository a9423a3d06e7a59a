#include "base/chance.h"

#include <array>
#include <cmath>

#include "base/token_run.h"

namespace pedro {
namespace {

constexpr std::size_t kMinChanceBytes = 16;
constexpr double kMinBitsPerByte = 3.5;
constexpr std::size_t kMinHexBytes = 32;
constexpr double kMinBitsPerHexDigit = 3;

}  // namespace

bool looks_like_chance(std::string_view value) {
  if (value.size() < kMinChanceBytes) return false;
  std::array<int, 256> counts = {};
  int digits = 0;
  int letters = 0;
  for (const char c : value) {
    ++counts[static_cast<unsigned char>(c)];
    digits += is_digit(c) ? 1 : 0;
    letters += is_letter(c) ? 1 : 0;
  }
  if (digits < 2 || letters < 2) return false;
  const bool hex = value.size() >= kMinHexBytes &&
                   value.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double share = count / static_cast<double>(value.size());
    bits -= share * std::log2(share);
  }
  return bits >= (hex ? kMinBitsPerHexDigit : kMinBitsPerByte);
}

// Of two neighbours at least 45 % differ in kind (62 % in random base64, 20 % in names like
// parseHttp2), digits stand in three places, and one in ten is neither.
bool is_random(std::string_view run) {
  enum Kind { kLower, kUpper, kDigit, kOther };
  std::array<std::size_t, 4> counts = {};
  std::size_t changes = 0;
  std::size_t digit_groups = 0;
  Kind before = kOther;
  Kind before_other = kOther;  // the last one that was something else
  for (const char c : run) {
    const Kind kind = is_digit(c) ? kDigit : !is_letter(c) ? kOther : c >= 'a' ? kLower : kUpper;
    ++counts[kind];
    digit_groups += kind == kDigit && before != kDigit ? 1 : 0;
    changes += kind != kOther && before_other != kOther && kind != before_other ? 1 : 0;
    before = kind;
    if (kind != kOther) before_other = kind;
  }
  const std::size_t known = run.size() - counts[kOther];
  return counts[kLower] >= 3 && counts[kUpper] >= 3 && digit_groups >= 3 &&
         counts[kOther] * 10 <= run.size() && changes * 100 >= 45 * (known - 1);
}

}  // namespace pedro
