#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/frame_pool.h"
#include "grammar/gbnf.h"

namespace pedro {

class StateCache;
struct State;

/// Follows a grammar byte by byte, as a llama-server does with the text of the tokens; text may be
/// given in pieces that are cut anywhere, also inside a UTF-8 sequence. Keeps every position in the
/// grammar that the text so far can be at, as many as the grammar is ambiguous at that point; what
/// follows after a set of positions is found out once and kept (see StateCache). Nothing recurses
/// on the text.
///
/// A value: copies go their own way, and cost what their text's nesting costs. They share the
/// compiled grammar and the cache, which is why these are behind a shared_ptr. One matcher is used
/// from one thread at a time; copies may be used from different threads, and wait for one another
/// while accept(), next_bytes() or forced() is at work.
///
/// Memory, besides the compiled grammar: the cache, which is begun anew once it has about
/// kCacheBytes and three times what the present places need. A copy that has not been used since
/// keeps the old one alive.
class Matcher {
 public:
  static constexpr std::size_t kCacheBytes = std::size_t{16} << 20;

  /// How far forced() looks ahead.
  static constexpr std::size_t kMaxForcedBytes = 4096;

  /// Stands at the beginning. Errors are those of compile_program(), and kLimit as for accept().
  /// The matches do not depend on `cache_bytes`, only their speed.
  static Result<Matcher> compile(const Gbnf& grammar, std::size_t cache_bytes = kCacheBytes);

  /// Takes bytes as long as they fit and returns how many it took; fewer than text.size() means
  /// that the byte after them cannot stand there. The matcher is then where it stopped.
  /// An Error (kLimit) means that the text can be at more than 50,000 places of the grammar at
  /// once, that their stacks have more than 2,000,000 frames, or that it is nested more than
  /// 200,000 deep; the matcher is of no use after that.
  Result<std::size_t> accept(std::string_view text);

  /// The text so far is a whole one.
  bool is_complete() const;

  /// accept() takes some byte.
  bool can_continue() const { return next_bytes().any(); }

  /// The bytes that accept() takes. Inside a character they are bytes that continue it, and only
  /// there.
  std::bitset<256> next_bytes() const;

  /// The text that comes next whatever is written: as long as the text so far is not a whole one
  /// and exactly one byte may follow. Ends where a character ends, and after at most
  /// kMaxForcedBytes; where the text so far ends inside a character, it begins with its rest.
  std::string forced() const;

 private:
  struct Shared;

  // Where a byte leads: to a state above what is left of the base.
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
  std::shared_ptr<StateCache> cache_;  // where state_ lives
  State* state_ = nullptr;             // a kStand, or a kNowhere where there is no text
  std::vector<Frame> base_;            // what all stacks have in common, the lowest first
};

/// True where `text` is a whole text of the grammar; an Error as for Matcher.
Result<bool> matches(const Gbnf& grammar, std::string_view text);

}  // namespace pedro
