#include "gbnf/todo_pool.h"

#include <algorithm>
#include <unordered_set>
#include <variant>

namespace pedro {
namespace {

std::size_t todo_hash(const Todo& todo) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(todo.expr);
  for (const std::uint32_t part : {todo.at, todo.min, todo.max, todo.then}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

bool takes_character(const Expr& expr) {
  return std::holds_alternative<Literal>(expr.node) ||
         std::holds_alternative<CharClass>(expr.node) || std::holds_alternative<Token>(expr.node);
}

bool matches_nothing(const Expr& expr) {
  const auto* set = std::get_if<CharClass>(&expr.node);
  return set != nullptr && set->ranges.empty() && !set->negated;
}

bool is_done(const Todo& todo) {
  if (const auto* text = std::get_if<Literal>(&todo.expr->node)) {
    return todo.at == text->bytes.size();
  }
  if (const auto* list = std::get_if<Sequence>(&todo.expr->node)) {
    return todo.at == list->items.size();
  }
  if (const auto* token = std::get_if<Token>(&todo.expr->node)) {
    return todo.at > 0 && todo.at == token->text.size();
  }
  return std::holds_alternative<Repetition>(todo.expr->node) && todo.max == 0;
}

}  // namespace

std::string_view text_of(const Todo& todo) {
  std::string_view text;
  if (const auto* literal = std::get_if<Literal>(&todo.expr->node)) text = literal->bytes;
  if (const auto* token = std::get_if<Token>(&todo.expr->node); token && !token->negated) {
    text = token->text;
  }
  return text.substr(std::min<std::size_t>(todo.at, text.size()));
}

TodoPool::TodoPool(const Gbnf& grammar) : todos_(1) {
  for (const Rule& rule : grammar.rules) rules_.emplace(rule.name, &rule.expr);
}

TodoId TodoPool::push(const Expr& expr, TodoId then) {
  Todo todo{.expr = &expr, .then = then};
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    todo.min = static_cast<std::uint32_t>(repeat->min);
    todo.max = repeat->max ? static_cast<std::uint32_t>(*repeat->max) : Todo::kAnyNumber;
  }
  return push(todo);
}

TodoId TodoPool::push(const Todo& todo) {
  if (is_done(todo)) return todo.then;
  const std::size_t hash = todo_hash(todo);
  const auto [begin, end] = by_hash_.equal_range(hash);
  const auto known =
      std::find_if(begin, end, [&](const auto& entry) { return todos_[entry.second] == todo; });
  if (known != end) return known->second;
  todos_.push_back(todo);
  const auto id = static_cast<TodoId>(todos_.size() - 1);
  by_hash_.emplace(hash, id);
  return id;
}

// Appends the stacks that replace `todo`, the last one first.
void TodoPool::expand(const Todo& todo, std::vector<TodoId>& next) {
  if (const auto* list = std::get_if<Sequence>(&todo.expr->node)) {
    Todo behind = todo;
    ++behind.at;
    next.push_back(push(list->items[todo.at], push(behind)));
  } else if (const auto* choice = std::get_if<Alternation>(&todo.expr->node)) {
    for (std::size_t i = choice->options.size(); i-- > 0;) {
      next.push_back(push(choice->options[i], todo.then));
    }
  } else if (const auto* ref = std::get_if<RuleRef>(&todo.expr->node)) {
    next.push_back(push(*rules_.at(ref->name), todo.then));
  } else if (const auto* repeat = std::get_if<Repetition>(&todo.expr->node)) {
    Todo again = todo;
    if (again.min > 0) --again.min;
    if (again.max != Todo::kAnyNumber) --again.max;
    if (todo.min == 0) next.push_back(todo.then);
    next.push_back(push(repeat->item.front(), push(again)));
  }
}

bool TodoPool::follow(std::span<const TodoId> stacks, std::size_t most, std::vector<TodoId>& open,
                      bool& complete) {
  open.clear();
  complete = false;
  std::vector<TodoId> todo(stacks.rbegin(), stacks.rend());
  std::unordered_set<TodoId> seen;
  while (!todo.empty()) {
    const TodoId id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    if (seen.size() > most) return false;
    const Todo top = todos_[id];
    if (id == 0) {
      complete = true;
    } else if (matches_nothing(*top.expr)) {
      continue;
    } else if (takes_character(*top.expr)) {
      open.push_back(id);
    } else {
      expand(top, todo);
    }
  }
  return true;
}

TodoId TodoPool::adopt(const TodoPool& other, TodoId id) {
  std::vector<TodoId> stack;
  for (; id != 0; id = other[id].then) stack.push_back(id);
  TodoId mine = 0;
  for (; !stack.empty(); stack.pop_back()) {
    Todo todo = other[stack.back()];
    todo.then = mine;
    mine = push(todo);
  }
  return mine;
}

}  // namespace pedro
