#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

/// The index of a Todo; 0 is the empty stack: the text is complete.
using TodoId = std::uint32_t;

/// The rest of an expression that is still to be matched, on top of the rest of a stack.
struct Todo {
  static constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

  const Expr* expr = nullptr;
  std::uint32_t at = 0;   ///< first remaining item of a sequence, or byte of a literal or token
  std::uint32_t min = 0;  ///< remaining bounds of a repetition: `min` and `max`
  std::uint32_t max = 0;
  TodoId then = 0;

  bool operator==(const Todo&) const = default;
};

/// Returns the remaining text of an expression that is matched by its text (a literal, a token that
/// has one); "" for any other expression.
std::string_view text_of(const Todo& todo);

/// Stacks of expressions that are still to be matched, with shared tails: equal stacks have equal
/// ids. Only grows. Borrows the grammar; one thread.
class TodoPool {
 public:
  explicit TodoPool(const Gbnf& grammar);

  const Todo& operator[](TodoId id) const { return todos_[id]; }
  std::size_t size() const { return todos_.size(); }

  /// Returns the stack of `expr` on top of `then`.
  TodoId push(const Expr& expr, TodoId then);
  /// Returns the stack `todo`, or todo.then if its expression is finished.
  TodoId push(const Todo& todo);

  /// Expands stacks until each top consumes a character or a token. Writes these to `open` in the
  /// grammar's order, without duplicates. Sets `complete` to true if a stack may become empty,
  /// otherwise to false. Returns false after visiting more than `most` stacks.
  bool follow(std::span<const TodoId> stacks, std::size_t most, std::vector<TodoId>& open,
              bool& complete);

  /// Copies the stack `id` from another pool of the same grammar.
  TodoId adopt(const TodoPool& other, TodoId id);

 private:
  void expand(const Todo& todo, std::vector<TodoId>& next);

  std::unordered_map<std::string_view, const Expr*> rules_;
  std::vector<Todo> todos_;
  std::unordered_multimap<std::size_t, TodoId> by_hash_;
};

}  // namespace pedro
