#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/frame_pool.h"
#include "grammar/gbnf.h"
#include "grammar/program.h"

namespace pedro {

/// Follows a grammar byte by byte, as a llama-server does with the text of the tokens; text may be
/// given in pieces that are cut anywhere, also inside a UTF-8 sequence. Keeps every position in the
/// grammar that the text so far can be at: a set of stacks with shared tails, as many as the
/// grammar is ambiguous at that point. Nothing recurses on the text.
/// A value: copies go their own way and share the compiled grammar, which is why that is behind a
/// shared_ptr. Use one from one thread at a time; copies are independent.
class Matcher {
 public:
  /// Stands at the beginning. Errors are those of compile_program(), and kLimit as for accept().
  static Result<Matcher> compile(const Gbnf& grammar);

  /// Takes bytes as long as they fit and returns how many it took; fewer than text.size() means
  /// that the byte after them cannot stand there. The matcher is then where it stopped.
  /// An Error (kLimit) means that the text can be at more than 50,000 places of the grammar at
  /// once, or is nested more than 200,000 deep; the matcher is of no use after that.
  Result<std::size_t> accept(std::string_view text);

  /// The text so far is a whole one.
  bool is_complete() const;

  /// Some byte may follow.
  bool can_continue() const;

 private:
  // Where the text can be: an instruction that takes a byte, or at frame 0 the end (a kReturn).
  struct Position {
    Pc pc = 0;
    FrameId frame = 0;
  };
  struct Scratch;

  explicit Matcher(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  Status step(unsigned char byte, Scratch& scratch);
  Status follow(Scratch& scratch);
  void repeat(Pc pc, std::uint32_t count, FrameId parent, Scratch& scratch);
  Pc after(const Inst& inst, unsigned char byte) const;

  std::shared_ptr<const Program> program_;
  FramePool frames_;
  std::vector<Position> positions_;
};

/// True where `text` is a whole text of the grammar; an Error as for Matcher.
Result<bool> matches(const Gbnf& grammar, std::string_view text);

}  // namespace pedro
