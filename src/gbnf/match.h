#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/frame_pool.h"
#include "gbnf/gbnf.h"

namespace pedro {

class StateCache;
struct State;

/// Matches text against a grammar byte by byte, as a llama-server does with the text of tokens.
/// Text may be split at any byte, also inside a UTF-8 sequence. Keeps every position in the grammar
/// that the text so far can be at. Their number grows with the grammar's ambiguity. Transitions
/// between sets of positions are computed once and cached (see StateCache). Does not recurse on the
/// text.
///
/// A value. Copies advance independently; copying costs time linear in the nesting of the text.
/// They share the compiled grammar and the cache through a shared_ptr. Use a matcher from one
/// thread at a time. Copies may be used on different threads; accept(), next_bytes() and forced()
/// block one another.
///
/// The cache is the main use of memory besides the compiled grammar. A new cache replaces it once
/// it exceeds about kCacheBytes plus three times the memory of the current positions. A copy that
/// has not been used since then keeps the old cache alive.
///
///     PEDRO_TRY(Matcher matcher, Matcher::compile(grammar));  // root ::= "yes" | "no"
///     PEDRO_TRY(const std::size_t count, matcher.accept("y"));
///     matcher.forced()  // "es"
class Matcher {
 public:
  static constexpr std::size_t kCacheBytes = std::size_t{16} << 20;

  /// The lookahead of forced(), in bytes.
  static constexpr std::size_t kMaxForcedBytes = 4096;

  /// Starts at the beginning. Errors: those of compile_program(), and kLimit as in accept().
  /// `cache_bytes` affects only the speed, not the matches.
  static Result<Matcher> compile(const Gbnf& grammar, std::size_t cache_bytes = kCacheBytes);

  /// Consumes bytes as long as they match and returns the number of bytes consumed. If fewer than
  /// text.size(), the next byte does not match and the matcher stays before it.
  ///
  /// Errors (kLimit): over 50,000 simultaneous positions, 2,000,000 frames in their stacks, or
  /// 200,000 levels of nesting. The matcher must not be used afterwards.
  Result<std::size_t> accept(std::string_view text);

  /// Returns true if the text so far is a complete text of the grammar.
  bool is_complete() const;

  /// Returns true if accept() can consume another byte.
  bool can_continue() const { return next_bytes().any(); }

  /// Returns the bytes that accept() consumes. Continuation bytes are possible only inside a
  /// character.
  std::bitset<256> next_bytes() const;

  /// Returns the only possible continuation: extends it while the text is incomplete and exactly
  /// one byte may follow. Ends at a character boundary, after at most kMaxForcedBytes. If the text
  /// so far ends inside a character, it begins with the rest of that character.
  std::string forced() const;

 private:
  struct Shared;

  // The target of a byte: a state on top of the remaining base.
  struct Landing {
    State* state = nullptr;
    std::size_t height = 0;
  };

  explicit Matcher(std::shared_ptr<Shared> shared);

  Result<bool> step(unsigned char byte);
  Result<Landing> land(State* state) const;
  Result<Landing> landing_after(unsigned char byte) const;
  Status stand(const Landing& landing);
  Status move_to(std::shared_ptr<StateCache> cache);

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<StateCache> cache_;  // owns state_
  State* state_ = nullptr;             // a kStand, or a kNowhere if the grammar matches no text
  std::vector<Frame> base_;            // the common part of all stacks, the lowest frame first
};

/// Returns true if `text` is a complete text of the grammar. Errors as for Matcher.
Result<bool> matches(const Gbnf& grammar, std::string_view text);

}  // namespace pedro
