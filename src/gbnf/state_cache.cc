#include "gbnf/state_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kMaxPositions = 50'000;
constexpr std::size_t kMaxVisited = 4 * kMaxPositions;  // including calls and choices
constexpr std::size_t kMaxFrames = 2'000'000;           // in one state
constexpr std::size_t kPointerBytes = sizeof(void*);
constexpr std::size_t kFrameBytes = 32;      // with its depth and its index slot
constexpr std::size_t kStateOverhead = 100;  // for its entry in the lookup table
constexpr std::size_t kMaxWalk = 64;         // frames to inspect for a common one
constexpr std::size_t kMaxCheapMove = 500;   // positions and frames

Error too_ambiguous(std::size_t limit, const char* what) {
  return Error{ErrorKind::kLimit,
               fmt::format("the grammar is too ambiguous here: more than {} {}", limit, what)};
}

std::uint64_t key_of(const Position& position) {
  return std::uint64_t{position.pc} << 32 | position.frame;
}

std::size_t hash_of_state(const std::vector<Position>& positions, bool at_bottom) {
  std::uint64_t hash = positions.size() * 2 + (at_bottom ? 1 : 0);
  for (const Position& position : positions) {
    hash ^= key_of(position);
    hash *= 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

}  // namespace

Error nested_too_deep() {
  return {ErrorKind::kLimit, fmt::format("nested more than {} deep", kMaxStackDepth)};
}

StateCache::StateCache(const Program& program, std::size_t max_bytes)
    : program_(program), max_bytes_(max_bytes) {
  nowhere_.kind = State::Kind::kNowhere;
  nowhere_.after.assign(program.byte_classes, &nowhere_);
}

Result<State*> StateCache::begin() {
  todo_ = {Position{program_.root, 0}};
  return follow();
}

Result<State*> StateCache::after(State& state, unsigned char byte) {
  State*& known = state.after[program_.byte_class[byte]];
  if (known->kind != State::Kind::kUnknown) return known;
  todo_.clear();
  for (const Position& position : state.positions) {
    const Pc pc = pc_after(program_.insts[position.pc], byte);
    if (pc != 0) todo_.push_back(Position{pc, position.frame});
  }
  const auto next = follow();
  if (next.ok()) known = *next;
  return next;
}

// Moving a large state onto one frame at a time would be slow. Takes as many frames at once as the
// move costs: a long descent costs at most twice its length.
Result<State*> StateCache::pop(State& state, const std::vector<Frame>& base, std::size_t& height) {
  if (height == 0) {
    if (state.at_bottom == nullptr) state.at_bottom = state_of(state.positions, true);
    return state.at_bottom;
  }
  if (state.size == 0) {
    state.size = state.positions.size() + frames_of(frames_, state.positions, 0).size();
  }
  const bool cheap = state.size <= kMaxCheapMove;
  const std::size_t taken = cheap ? 1 : std::min(height, state.size);
  const Frame& top = base[height - 1];
  const std::uint64_t key = std::uint64_t{top.resume} << 32 | top.count;
  height -= taken;
  if (const auto known = state.popped.find(key); cheap && known != state.popped.end()) {
    return known->second;
  }
  FrameId onto = 0;
  for (std::size_t i = height; i < height + taken; ++i) {
    onto = frames_.push(Frame{base[i].resume, base[i].count, onto});
  }
  todo_ = moved(frames_, state.positions, 0, onto);
  const auto next = follow();
  if (next.ok() && cheap) {
    state.popped.emplace(key, *next);
    state_bytes_ += kFrameBytes;
  }
  return next;
}

Result<State*> StateCache::adopt(const StateCache& other, const State& state) {
  const std::size_t before = bytes_used();
  if (frames_of(other.frames_, state.positions, 0).size() > kMaxFrames) {
    return too_ambiguous(kMaxFrames, "frames");
  }
  State* out = state_of(moved(other.frames_, state.positions, 0, 0), state.complete);
  max_bytes_ += 3 * (bytes_used() - before);
  return out;
}

std::bitset<256> StateCache::bytes(const State& state) const {
  std::bitset<256> out;
  for (const Position& position : state.positions) {
    const Inst& inst = program_.insts[position.pc];
    if (inst.op == Op::kByte) out.set(inst.a);
    if (inst.op != Op::kClass) continue;
    const ByteTable& table = program_.tables[inst.a];
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
      if (table[byte] != 0) out.set(byte);
    }
  }
  return out;
}

// Follows each position in todo_ to all positions that consume a byte or may end the text.
Result<State*> StateCache::follow() {
  std::vector<Position> out;
  seen_.clear();
  while (!todo_.empty()) {
    const Position at = todo_.back();
    todo_.pop_back();
    if (!seen_.insert(at.pc, at.frame)) continue;
    if (out.size() > kMaxPositions || seen_.size() > kMaxVisited) {
      return too_ambiguous(kMaxPositions, "places");
    }
    if (frames_.depth(at.frame) > kMaxStackDepth) return nested_too_deep();
    const Inst& inst = program_.insts[at.pc];
    switch (inst.op) {
      case Op::kFail:
        break;
      case Op::kByte:
      case Op::kClass:
        out.push_back(at);
        break;
      case Op::kSplit:
        for (std::uint32_t i = inst.b; i-- > 0;) {
          todo_.push_back(Position{program_.targets[inst.a + i], at.frame});
        }
        break;
      case Op::kCall: {
        // A call at the end of a rule needs no frame, because it continues where its caller
        // continues.
        const bool last = program_.insts[inst.next].op == Op::kReturn;
        const FrameId frame = last ? at.frame : frames_.push(Frame{inst.next, 0, at.frame});
        todo_.push_back(Position{program_.rules[inst.a], frame});
        break;
      }
      case Op::kRepeat:
        repeat(at.pc, 0, at.frame);
        break;
      case Op::kReturn: {
        if (at.frame == 0) {
          out.push_back(at);
          break;
        }
        const Frame frame = frames_[at.frame];
        if (frame.count == 0) {
          todo_.push_back(Position{frame.resume, frame.parent});
        } else {
          repeat(frame.resume, frame.count, frame.parent);
        }
        break;
      }
    }
  }
  return state_of(std::move(out), false);
}

// Continues a repetition after `count` items. Without an upper bound, counting stops at the lower
// one, so that the number of different stacks is finite.
void StateCache::repeat(Pc pc, std::uint32_t count, FrameId parent) {
  const Inst& inst = program_.insts[pc];
  const Repeat& bounds = program_.repeats[inst.a];
  if (count >= bounds.min) todo_.push_back(Position{inst.next, parent});
  if (bounds.max != 0 && count >= bounds.max) return;
  const std::uint32_t counted =
      bounds.max == 0 ? std::min(count + 1, std::max(bounds.min, 1u)) : count + 1;
  const FrameId frame = frames_.push(Frame{pc, counted, parent});
  todo_.push_back(Position{bounds.item, frame});
}

Pc StateCache::pc_after(const Inst& inst, unsigned char byte) const {
  if (inst.op == Op::kByte) return inst.a == byte ? inst.next : 0;
  if (inst.op != Op::kClass) return 0;
  const std::uint8_t meaning = program_.tables[inst.a][byte];
  if (meaning <= 1) return meaning == 1 ? inst.next : 0;
  return inst.b + meaning - 1;
}

State* StateCache::state_of(std::vector<Position> positions, bool at_bottom) {
  if (positions.empty()) return &nowhere_;
  const auto before = [](const Position& a, const Position& b) { return key_of(a) < key_of(b); };
  if (!std::is_sorted(positions.begin(), positions.end(), before)) {
    std::sort(positions.begin(), positions.end(), before);
  }
  const std::size_t hash = hash_of_state(positions, at_bottom);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    State* state = at->second;
    if (state->complete == at_bottom && state->positions == positions) return state;
  }
  State& state = states_.emplace_back();
  by_hash_.emplace(hash, &state);
  state.positions = std::move(positions);
  state.complete = at_bottom;
  classify(state);
  state_bytes_ += sizeof(State) + kStateOverhead + state.positions.size() * sizeof(Position) +
                  state.after.size() * kPointerBytes + state.pushed.size() * sizeof(Frame);
  return &state;
}

void StateCache::classify(State& state) {
  const Position& lowest = state.positions.front();
  if (program_.insts[lowest.pc].op == Op::kReturn && !state.complete) {
    state.kind = State::Kind::kPop;
    return;
  }
  const FrameId common = common_frame(state.positions);
  if (common == 0) {
    state.kind = State::Kind::kStand;
    state.after.assign(program_.byte_classes, &unknown_);
    return;
  }
  state.kind = State::Kind::kPush;
  for (FrameId id = common; id != 0; id = frames_[id].parent) {
    state.pushed.push_back(Frame{frames_[id].resume, frames_[id].count, 0});
  }
  std::reverse(state.pushed.begin(), state.pushed.end());
  state.then = state_of(moved(frames_, state.positions, common, 0), false);
}

// Returns the uppermost frame that is in all stacks. Also returns 0 if the search takes too long,
// which only creates more states.
FrameId StateCache::common_frame(const std::vector<Position>& positions) const {
  std::vector<FrameId> tops;
  const auto add = [&tops](FrameId id) {
    const auto place = std::lower_bound(tops.begin(), tops.end(), id);
    if (place == tops.end() || *place != id) tops.insert(place, id);
  };
  for (const Position& position : positions) {
    add(position.frame);
    if (tops.front() == 0 || tops.size() > kMaxWalk) return 0;
  }
  for (std::size_t walked = 0; tops.size() > 1; ++walked) {
    if (tops.front() == 0 || walked == kMaxWalk) return 0;
    const FrameId highest = tops.back();
    tops.pop_back();
    add(frames_[highest].parent);
  }
  return tops.front();
}

// Returns the frames of all stacks above the frame `above`, parents before children.
std::vector<FrameId> StateCache::frames_of(const FramePool& pool,
                                           const std::vector<Position>& positions, FrameId above) {
  std::vector<FrameId> out;
  seen_.clear();
  for (const Position& position : positions) {
    for (FrameId id = position.frame; id != above && seen_.insert(id, 0); id = pool[id].parent) {
      out.push_back(id);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Copies positions from another pool (or this one) into this one. Replaces `above`, which all
// stacks share, by `onto`.
std::vector<Position> StateCache::moved(const FramePool& from, std::vector<Position> positions,
                                        FrameId above, FrameId onto) {
  std::unordered_map<FrameId, FrameId> place = {{above, onto}};
  for (const FrameId id : frames_of(from, positions, above)) {
    const Frame frame = from[id];
    place[id] = frames_.push(Frame{frame.resume, frame.count, place.at(frame.parent)});
  }
  for (Position& position : positions) position.frame = place.at(position.frame);
  return positions;
}

std::size_t StateCache::bytes_used() const {
  return state_bytes_ + frames_.size() * kFrameBytes;
}

}  // namespace pedro
