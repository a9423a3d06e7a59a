#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// Index of a Todo; 0 is the empty stack: nothing is left to be matched.
using TodoId = std::uint32_t;

/// What is still to be matched: an expression, or what is left of it, and then the rest of a stack.
struct Todo {
  static constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

  const Expr* expr = nullptr;
  std::uint32_t at = 0;   ///< a sequence from this item on, a literal or token from this byte on
  std::uint32_t min = 0;  ///< a repetition: how often at least, and at most
  std::uint32_t max = 0;
  TodoId then = 0;

  bool operator==(const Todo&) const = default;
};

/// The text of what is matched by its text (a literal, a token that has one), from `at` on; "" of
/// anything else.
std::string_view text_of(const Todo& todo);

/// Stacks of what is still to be matched, with shared tails: equal stacks have equal numbers. Only
/// grows. Borrows the grammar; one thread.
class TodoPool {
 public:
  explicit TodoPool(const Gbnf& grammar);

  const Todo& operator[](TodoId id) const { return todos_[id]; }
  std::size_t size() const { return todos_.size(); }

  /// `expr`, then `then`.
  TodoId push(const Expr& expr, TodoId then);
  /// The stack `todo`; where nothing is left of its expression, todo.then.
  TodoId push(const Todo& todo);

  /// Follows stacks to where each takes a character or a token, in the grammar's order and each
  /// once. Sets `complete` where one of them may be empty. False where there are more than `most`.
  bool follow(std::span<const TodoId> stacks, std::size_t most, std::vector<TodoId>& open,
              bool& complete);

  /// The stack `id` of another pool of the same grammar.
  TodoId adopt(const TodoPool& other, TodoId id);

 private:
  void expand(const Todo& todo, std::vector<TodoId>& next);

  std::unordered_map<std::string_view, const Expr*> rules_;
  std::vector<Todo> todos_;
  std::unordered_multimap<std::size_t, TodoId> by_hash_;
};

}  // namespace pedro
