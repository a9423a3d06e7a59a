#include "gbnf/match.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "gbnf/program.h"
#include "gbnf/state_cache.h"

namespace pedro {
namespace {

// The bytes that continue a character.
std::bitset<256> continuation_bytes() {
  std::bitset<256> out;
  for (std::size_t byte = 0x80; byte <= 0xBF; ++byte) out.set(byte);
  return out;
}

std::size_t first_of(const std::bitset<256>& bytes) {
  std::size_t byte = 0;
  while (byte < bytes.size() && !bytes[byte]) ++byte;
  return byte;
}

}  // namespace

// The state shared by copies. The lock is held during use of any cache, the current one or an older
// one. The program is immutable.
struct Matcher::Shared {
  Program program;
  std::size_t cache_bytes = 0;
  std::mutex lock;
  std::shared_ptr<StateCache> cache;  // the newest

  std::shared_ptr<StateCache> new_cache() const {
    return std::make_shared<StateCache>(program, cache_bytes);
  }
};

Matcher::Matcher(std::shared_ptr<Shared> shared)
    : shared_(std::move(shared)), cache_(shared_->cache) {}

Result<Matcher> Matcher::compile(const Gbnf& grammar, std::size_t cache_bytes) {
  auto program = compile_program(grammar);
  if (!program.ok()) return program.error();
  auto shared = std::make_shared<Shared>();
  shared->program = std::move(*program);
  shared->cache_bytes = cache_bytes;
  shared->cache = shared->new_cache();
  Matcher matcher(std::move(shared));
  const auto begin = matcher.cache_->begin();
  if (!begin.ok()) return begin.error();
  const auto landing = matcher.land(*begin);
  if (!landing.ok()) return landing.error();
  const Status status = matcher.stand(*landing);
  if (!status.ok()) return status.error();
  return matcher;
}

Result<std::size_t> Matcher::accept(std::string_view text) {
  const std::lock_guard held(shared_->lock);
  if (cache_ != shared_->cache) {
    const Status status = move_to(shared_->cache);
    if (!status.ok()) return status.error();
  }
  const ByteTable& byte_class = shared_->program.byte_class;
  for (std::size_t taken = 0; taken < text.size(); ++taken) {
    const auto byte = static_cast<unsigned char>(text[taken]);
    State* const next = state_->after[byte_class[byte]];
    if (next->kind == State::Kind::kStand) {
      state_ = next;
      continue;
    }
    const auto took = step(byte);
    if (!took.ok()) return took.error();
    if (!*took) return taken;
  }
  return text.size();
}

bool Matcher::is_complete() const {
  return state_->complete;
}

std::bitset<256> Matcher::next_bytes() const {
  const std::lock_guard held(shared_->lock);
  std::bitset<256> bytes = cache_->bytes(*state_);
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    if (!bytes[byte]) continue;
    const auto landing = landing_after(static_cast<unsigned char>(byte));
    if (!landing.ok() || landing->state->kind == State::Kind::kNowhere) bytes.reset(byte);
  }
  return bytes;
}

std::string Matcher::forced() const {
  const std::bitset<256> inside_character = continuation_bytes();
  Matcher ahead = *this;
  std::string text;
  std::size_t whole = 0;  // bytes of `text` up to the last character boundary
  while (true) {
    const std::bitset<256> bytes = ahead.next_bytes();
    if ((ahead.cache_->bytes(*ahead.state_) & inside_character).none()) whole = text.size();
    if (ahead.is_complete() || bytes.count() != 1 || text.size() == kMaxForcedBytes) break;
    text.push_back(static_cast<char>(first_of(bytes)));
    const auto taken = ahead.accept(std::string_view(text).substr(text.size() - 1));
    if (!taken.ok()) break;
  }
  text.resize(whole);
  return text;
}

Result<bool> Matcher::step(unsigned char byte) {
  const State* known = state_->after[shared_->program.byte_class[byte]];
  if (known->kind == State::Kind::kUnknown && cache_->is_full()) {
    const Status status = move_to(shared_->new_cache());
    if (!status.ok()) return status.error();
    shared_->cache = cache_;
  }
  const auto landing = landing_after(byte);
  if (!landing.ok()) return landing.error();
  if (landing->state->kind == State::Kind::kNowhere) return false;
  const Status status = stand(*landing);
  if (!status.ok()) return status.error();
  return true;
}

Result<Matcher::Landing> Matcher::landing_after(unsigned char byte) const {
  const auto next = cache_->after(*state_, byte);
  if (!next.ok()) return next.error();
  return land(*next);
}

// Does not modify the base: a byte may fail to match after frames were popped from it.
Result<Matcher::Landing> Matcher::land(State* state) const {
  Landing out{state, base_.size()};
  while (out.state->kind == State::Kind::kPop) {
    const auto next = cache_->pop(*out.state, base_, out.height);
    if (!next.ok()) return next.error();
    out.state = *next;
  }
  return out;
}

Status Matcher::stand(const Landing& landing) {
  state_ = landing.state;
  base_.resize(landing.height);
  if (state_->kind != State::Kind::kPush) return {};
  base_.insert(base_.end(), state_->pushed.begin(), state_->pushed.end());
  state_ = state_->then;
  if (base_.size() <= kMaxStackDepth) return {};
  return nested_too_deep();
}

Status Matcher::move_to(std::shared_ptr<StateCache> cache) {
  const auto state = cache->adopt(*cache_, *state_);
  if (!state.ok()) return state.error();
  cache_ = std::move(cache);
  return stand(Landing{*state, base_.size()});
}

Result<bool> matches(const Gbnf& grammar, std::string_view text) {
  auto matcher = Matcher::compile(grammar);
  if (!matcher.ok()) return matcher.error();
  const auto taken = matcher->accept(text);
  if (!taken.ok()) return taken.error();
  return *taken == text.size() && matcher->is_complete();
}

}  // namespace pedro
