#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "gbnf/frame_pool.h"
#include "gbnf/program.h"

namespace pedro {

/// A set of pairs with a cheap clear(), which increments a stamp instead of writing slots. A value;
/// one thread.
class SeenPairs {
 public:
  SeenPairs() : slots_(16) {}

  void clear() {
    ++stamp_;
    size_ = 0;
  }
  std::size_t size() const { return size_; }

  /// Returns false if the pair is already present.
  bool insert(std::uint32_t a, std::uint32_t b) {
    if (size_ * 2 >= slots_.size()) grow();
    return put(std::uint64_t{a} << 32 | b);
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t stamp = 0;
  };

  bool put(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    for (; slots_[slot].stamp == stamp_; slot = (slot + 1) & mask) {
      if (slots_[slot].key == key) return false;
    }
    slots_[slot] = Slot{key, stamp_};
    ++size_;
    return true;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.stamp == stamp_) put(slot.key);
    }
  }

  std::vector<Slot> slots_;
  std::uint64_t stamp_ = 1;
  std::size_t size_ = 0;
};

/// The deepest supported nesting of a text, in frames of a stack including the base.
inline constexpr std::size_t kMaxStackDepth = 200'000;
/// Returns the error (kLimit) for a text with deeper nesting.
Error nested_too_deep();

/// A possible position of the text: an instruction that consumes a byte. At frame 0 it may also be
/// a kReturn, the end of the frames above the base.
struct Position {
  Pc pc = 0;
  FrameId frame = 0;

  bool operator==(const Position&) const = default;
};

/// All possible positions of the text. The common lower part of their stacks is the base. It is not
/// part of the state, so repeated nesting returns to the same states. The parts above the base are
/// frames of the cache; frame 0 is the top of the base.
struct State {
  enum class Kind : std::uint8_t {
    kUnknown,  ///< not computed yet
    kNowhere,  ///< no position: no byte matches
    kStand,    ///< the text is between two bytes
    kPush,     ///< all stacks share `pushed`: append it to the base, continue with `then`
    kPop,      ///< a position ends the frames above the base: the base determines the next state
  };

  Kind kind = Kind::kUnknown;
  bool complete = false;            ///< kStand: the base is empty, and the text may end here
  std::vector<Position> positions;  ///< sorted
  std::vector<State*> after;        ///< kStand, kNowhere: by byte class
  std::vector<Frame> pushed;        ///< kPush: the lowest frame first, without parents
  State* then = nullptr;            ///< kPush: a kStand
  State* at_bottom = nullptr;       ///< kPop: the next state if the base is empty
  std::size_t size = 0;             ///< kPop: positions and frames; 0 if not yet counted
  std::unordered_map<std::uint64_t, State*> popped;  ///< kPop: by the top frame of the base
};

/// The states of a text and their transitions, each computed only once: a deterministic automaton
/// over positions, built lazily. States keep their addresses and are never removed while the cache
/// exists.
///
/// Callers check is_full() before a byte. If true, they continue with a new cache, into which they
/// adopt the current state. One thread at a time, except for `complete`, `kind` and `positions` of
/// a state, which are immutable. Errors are kLimit, as in Matcher::accept().
class StateCache {
 public:
  /// `program` must outlive the cache.
  StateCache(const Program& program, std::size_t max_bytes);

  /// Returns the state before the first byte, above an empty base. Like after(), pop() and adopt(),
  /// never returns a kUnknown.
  Result<State*> begin();

  /// Returns the state after a byte; requires a kStand or a kNowhere. `State::after` caches the
  /// results.
  Result<State*> after(State& state, unsigned char byte);

  /// Returns the state after a kPop above the lowest `height` frames of `base`. Lowers `height` by
  /// the number of frames that it takes from the base.
  Result<State*> pop(State& state, const std::vector<Frame>& base, std::size_t& height);

  /// Returns the state of this cache that is equal to a state of another cache.
  Result<State*> adopt(const StateCache& other, const State& state);

  /// Returns the bytes that some position consumes. The state after such a byte may still be
  /// kNowhere.
  std::bitset<256> bytes(const State& state) const;

  /// Returns true if it uses more than `max_bytes` plus three times the size of the adopted states.
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

  // State of the current step.
  SeenPairs seen_;
  std::vector<Position> todo_;  // to be followed to instructions that consume a byte
};

}  // namespace pedro
