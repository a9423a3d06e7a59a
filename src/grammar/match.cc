#include "grammar/match.h"

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kMaxPositions = 50'000;
constexpr std::size_t kMaxFrames = 200'000;

// A set of pairs that is emptied for every byte: by a new stamp, not by writing.
class SeenPairs {
 public:
  SeenPairs() : slots_(16) {}

  void clear() {
    ++stamp_;
    size_ = 0;
  }
  std::size_t size() const { return size_; }

  // False where the pair was there already.
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

}  // namespace

struct Matcher::Scratch {
  SeenPairs seen;
  std::vector<Position> todo;  // still to be followed to where a byte is taken
  std::vector<Position> next;  // positions after the byte
};

Result<Matcher> Matcher::compile(const Gbnf& grammar) {
  auto program = compile_program(grammar);
  if (!program.ok()) return program.error();
  Matcher matcher(std::make_shared<const Program>(std::move(*program)));
  Scratch scratch;
  scratch.todo.push_back(Position{matcher.program_->root, 0});
  const Status status = matcher.follow(scratch);
  if (!status.ok()) return status.error();
  matcher.positions_ = std::move(scratch.next);
  return matcher;
}

Result<std::size_t> Matcher::accept(std::string_view text) {
  Scratch scratch;
  for (std::size_t taken = 0; taken < text.size(); ++taken) {
    const Status status = step(static_cast<unsigned char>(text[taken]), scratch);
    if (!status.ok()) return status.error();
    if (scratch.next.empty()) return taken;
    positions_.swap(scratch.next);
    if (!frames_.wants_compaction()) continue;
    std::vector<FrameId*> tops;
    for (Position& position : positions_) tops.push_back(&position.frame);
    frames_.compact(tops);
  }
  return text.size();
}

bool Matcher::is_complete() const {
  return std::any_of(positions_.begin(), positions_.end(), [this](const Position& position) {
    return program_->insts[position.pc].op == Op::kReturn;
  });
}

bool Matcher::can_continue() const {
  return std::any_of(positions_.begin(), positions_.end(), [this](const Position& position) {
    return program_->insts[position.pc].op != Op::kReturn;
  });
}

Status Matcher::step(unsigned char byte, Scratch& scratch) {
  scratch.seen.clear();
  scratch.todo.clear();
  scratch.next.clear();
  for (const Position& position : positions_) {
    const Pc pc = after(program_->insts[position.pc], byte);
    if (pc != 0) scratch.todo.push_back(Position{pc, position.frame});
  }
  return follow(scratch);
}

Pc Matcher::after(const Inst& inst, unsigned char byte) const {
  if (inst.op == Op::kByte) return inst.a == byte ? inst.next : 0;
  if (inst.op != Op::kClass) return 0;
  const std::uint8_t meaning = program_->tables[inst.a][byte];
  return meaning <= 1 ? meaning * inst.next : inst.b + meaning - 1;
}

// From each position to all those where a byte is taken or the text may end.
Status Matcher::follow(Scratch& scratch) {
  while (!scratch.todo.empty()) {
    const Position at = scratch.todo.back();
    scratch.todo.pop_back();
    if (!scratch.seen.insert(at.pc, at.frame)) continue;
    if (scratch.seen.size() > kMaxPositions) {
      return Error{ErrorKind::kLimit, "the grammar is too ambiguous here: more than 50000 places"};
    }
    if (frames_.size() > kMaxFrames) {
      return Error{ErrorKind::kLimit, "nested more than 200000 deep"};
    }
    const Inst& inst = program_->insts[at.pc];
    switch (inst.op) {
      case Op::kFail:
        break;
      case Op::kByte:
      case Op::kClass:
        scratch.next.push_back(at);
        break;
      case Op::kSplit:
        for (std::uint32_t i = inst.b; i-- > 0;) {
          scratch.todo.push_back(Position{program_->targets[inst.a + i], at.frame});
        }
        break;
      case Op::kCall: {
        // A call at the end of a rule needs no frame: it goes on where its caller goes on.
        const bool last = program_->insts[inst.next].op == Op::kReturn;
        const FrameId frame = last ? at.frame : frames_.push(Frame{inst.next, 0, at.frame});
        scratch.todo.push_back(Position{program_->rules[inst.a], frame});
        break;
      }
      case Op::kRepeat:
        repeat(at.pc, 0, at.frame, scratch);
        break;
      case Op::kReturn: {
        if (at.frame == 0) {
          scratch.next.push_back(at);
          break;
        }
        const Frame frame = frames_[at.frame];
        if (frame.count == 0) {
          scratch.todo.push_back(Position{frame.resume, frame.parent});
        } else {
          repeat(frame.resume, frame.count, frame.parent, scratch);
        }
        break;
      }
    }
  }
  return {};
}

// After `count` items. Where there is no upper bound, counting ends at the lower one, so that the
// number of different stacks stays finite.
void Matcher::repeat(Pc pc, std::uint32_t count, FrameId parent, Scratch& scratch) {
  const Inst& inst = program_->insts[pc];
  const Repeat& bounds = program_->repeats[inst.a];
  if (count >= bounds.min) scratch.todo.push_back(Position{inst.next, parent});
  if (bounds.max != 0 && count >= bounds.max) return;
  const std::uint32_t counted =
      bounds.max == 0 ? std::min(count + 1, std::max(bounds.min, 1u)) : count + 1;
  const FrameId frame = frames_.push(Frame{pc, counted, parent});
  scratch.todo.push_back(Position{bounds.item, frame});
}

Result<bool> matches(const Gbnf& grammar, std::string_view text) {
  auto matcher = Matcher::compile(grammar);
  if (!matcher.ok()) return matcher.error();
  const auto taken = matcher->accept(text);
  if (!taken.ok()) return taken.error();
  return *taken == text.size() && matcher->is_complete();
}

}  // namespace pedro
