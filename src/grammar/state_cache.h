#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "grammar/frame_pool.h"
#include "grammar/program.h"
#include "grammar/seen_pairs.h"

namespace pedro {

/// What a text nests deeper than that is refused: frames of a stack, the base's among them.
inline constexpr std::size_t kMaxStackDepth = 200'000;
/// Of a text that does.
Error nested_too_deep();

/// A place where the text can be: an instruction that takes a byte, or at frame 0 a kReturn, which
/// stands for the end of what is above the base.
struct Position {
  Pc pc = 0;
  FrameId frame = 0;

  bool operator==(const Position&) const = default;
};

/// All places where the text can be. Their stacks have a lower part in common, the base, which is
/// not part of the state: so a text that nests again and again comes back to the same states. What
/// they have on top of the base are frames of the cache; frame 0 is the base's top.
struct State {
  enum class Kind : std::uint8_t {
    kUnknown,  ///< nobody has asked for it yet
    kNowhere,  ///< no position at all: no byte fits
    kStand,    ///< where a text stands between two bytes
    kPush,     ///< all stacks have `pushed` in common: that belongs on the base, then comes `then`
    kPop,      ///< one position is the end of what is above the base: what is next is the base's
  };

  Kind kind = Kind::kUnknown;
  bool complete = false;            ///< kStand: the base is empty, and the text may end here
  std::vector<Position> positions;  ///< sorted
  std::vector<State*> after;        ///< kStand, kNowhere: by the byte's class
  std::vector<Frame> pushed;        ///< kPush: the lowest first, without parents
  State* then = nullptr;            ///< kPush: a kStand
  State* at_bottom = nullptr;       ///< kPop: where the base is empty
  std::size_t size = 0;             ///< kPop: positions and frames; 0 if not yet counted
  std::unordered_map<std::uint64_t, State*> popped;  ///< kPop: by the base's top frame
};

/// The states that a text has come through and what follows after them, so that the same is found
/// out once: the positions of a grammar as a deterministic automaton, made as far as it is used.
/// States stay where they are as long as the cache lives; nothing is dropped from it. Whoever uses
/// it looks at is_full() before a byte, and goes on with a new cache, into which it brings the one
/// state where it stands. One thread at a time, except `complete`, `kind` and `positions` of a
/// state, which never change. Errors are kLimit, as in Matcher::accept().
class StateCache {
 public:
  /// Requires that `program` lives longer than the last call.
  StateCache(const Program& program, std::size_t max_bytes);

  /// Before the first byte, above an empty base. As after(), pop() and adopt(): not a kUnknown.
  Result<State*> begin();

  /// After a byte; requires a kStand or a kNowhere. `State::after` tells what is known already.
  Result<State*> after(State& state, unsigned char byte);

  /// A kPop above the lowest `height` frames of `base`: takes frames away from it, as many as it
  /// lowers `height` by.
  Result<State*> pop(State& state, const std::vector<Frame>& base, std::size_t& height);

  /// A state of another cache, or rather one that is like it.
  Result<State*> adopt(const StateCache& other, const State& state);

  /// Some position takes the byte; where that leads to is another question.
  std::bitset<256> bytes(const State& state) const;

  /// It uses more than `max_bytes` and three times of what was adopted.
  bool is_full() const { return bytes_used() > max_bytes_; }

 private:
  Result<State*> follow();
  void repeat(Pc pc, std::uint32_t count, FrameId parent);
  Pc pc_after(const Inst& inst, unsigned char byte) const;
  State* state_of(std::vector<Position> positions, bool at_bottom);
  void classify(State& state);
  FrameId common_frame(const std::vector<Position>& positions) const;
  std::vector<FrameId> frames_of(const FramePool& pool, const std::vector<Position>& positions,
                                 FrameId above);
  std::vector<Position> moved(const FramePool& from, std::vector<Position> positions, FrameId above,
                              FrameId onto);
  std::size_t bytes_used() const;

  const Program& program_;
  std::size_t max_bytes_;
  std::size_t state_bytes_ = 0;
  FramePool frames_;
  std::deque<State> states_;
  std::unordered_multimap<std::size_t, State*> by_hash_;
  State unknown_;
  State nowhere_;

  // Of the step that is being made.
  SeenPairs seen_;
  std::vector<Position> todo_;  // still to be followed to where a byte is taken
};

}  // namespace pedro
