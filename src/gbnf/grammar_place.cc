#include "gbnf/grammar_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "base/utf8.h"
#include "gbnf/left_recursion.h"
#include "gbnf/rule_graph.h"

namespace pedro {

// The index of a Todo; 0 is the empty stack: the text is complete.
using TodoId = std::uint32_t;

// The rest of an expression that is still to be matched, on top of the rest of a stack.
struct Todo {
  static constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

  const Expr* expr = nullptr;
  std::uint32_t at = 0;   // first remaining item of a sequence, or byte of a literal or token
  std::uint32_t min = 0;  // remaining bounds of a repetition: `min` and `max`
  std::uint32_t max = 0;
  TodoId then = 0;

  bool operator==(const Todo&) const = default;
};

// Returns the remaining text of an expression that is matched by its text (a literal, a token that
// has one). "" for any other expression.
std::string_view text_of(const Todo& todo);

// Stacks of expressions that are still to be matched, with shared tails: equal stacks have equal
// ids. Only grows. Borrows the grammar; one thread.
class TodoPool {
 public:
  explicit TodoPool(const Gbnf& grammar);

  const Todo& operator[](TodoId id) const { return todos_[id]; }
  std::size_t size() const { return todos_.size(); }

  // Returns the stack of `expr` on top of `then`.
  TodoId push(const Expr& expr, TodoId then);
  // Returns the stack `todo`, or todo.then if its expression is finished.
  TodoId push(const Todo& todo);

  // Expands stacks until each top consumes a character or a token. Writes these to `open` in the
  // grammar's order, without duplicates. Sets `complete` to true if a stack may become empty,
  // otherwise to false. Returns false after visiting more than `most` stacks.
  bool follow(std::span<const TodoId> stacks, std::size_t most, std::vector<TodoId>& open,
              bool& complete);

  // Copies the stack `id` from another pool of the same grammar.
  TodoId adopt(const TodoPool& other, TodoId id);

 private:
  void expand(const Todo& todo, std::vector<TodoId>& next);

  std::unordered_map<std::string_view, const Expr*> rules_;
  std::vector<Todo> todos_;
  std::unordered_multimap<std::size_t, TodoId> by_hash_;
};

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

constexpr std::size_t kMaxPlaces = 4096;
constexpr std::size_t kMaxTodos = 500'000;  // of about 60 bytes each

void collect_names(const Expr& expr, std::map<std::string, std::string>& names) {
  if (const auto* ref = std::get_if<RuleRef>(&expr.node)) names.emplace(ref->name, ref->name);
  for (const Expr& child : children(expr)) collect_names(child, names);
}

Status check_rules(const Gbnf& grammar) {
  const RuleGraph graph(grammar);
  if (graph.find("root") == RuleGraph::kNoRule) return config_error("there is no rule 'root'");
  for (const Rule& rule : grammar.rules) {
    std::map<std::string, std::string> names;
    collect_names(rule.expr, names);
    for (const auto& [name, same] : names) {
      if (graph.find(name) != RuleGraph::kNoRule) continue;
      return config_error(
          fmt::format("rule '{}' refers to '{}', which is not defined", rule.name, name));
    }
  }
  return check_left_recursion(grammar);
}

bool holds(const CharClass& set, char32_t c) {
  const bool inside =
      std::any_of(set.ranges.begin(), set.ranges.end(),
                  [c](const CharRange& range) { return range.first <= c && c <= range.last; });
  return inside != set.negated;
}

bool has_id(const Expr& expr) {
  const auto* token = std::get_if<Token>(&expr.node);
  return token != nullptr && (token->id || token->negated);
}

// Returns the remainder of the expression on top.
Expr expr_of(const Todo& todo) {
  if (const auto* list = std::get_if<Sequence>(&todo.expr->node)) {
    return sequence({list->items.begin() + todo.at, list->items.end()});
  }
  if (const auto* repeat = std::get_if<Repetition>(&todo.expr->node)) {
    const bool endless = todo.max == Todo::kAnyNumber;
    return repetition(repeat->item.front(), static_cast<int>(todo.min),
                      endless ? std::nullopt : std::optional(static_cast<int>(todo.max)));
  }
  return todo.at > 0 ? literal(text_of(todo)) : *todo.expr;
}

// Adds `old_root` under another name if a rule refers to it.
void keep_root(Gbnf& grammar, const Expr& old_root) {
  std::map<std::string, std::string> names;
  collect_names(old_root, names);
  for (const Rule& rule : grammar.rules) collect_names(rule.expr, names);
  if (!names.contains("root")) return;
  std::string name = "whole";
  for (int n = 1; names.contains(name); ++n) name = fmt::format("whole-{}", n);
  names["root"] = name;
  for (Rule& rule : grammar.rules) rule.expr = renamed(rule.expr, names);
  grammar.rules.push_back({name, renamed(old_root, names)});
}

void drop_unreachable(Gbnf& grammar) {
  const std::vector<bool> reachable = RuleGraph(grammar).reachable();
  std::size_t rule = 0;
  std::erase_if(grammar.rules, [&](const Rule&) { return !reachable[rule++]; });
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
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

Result<GrammarPlace> GrammarPlace::begin(std::shared_ptr<const Gbnf> grammar) {
  PEDRO_RETURN_IF_ERROR(check_rules(*grammar));
  auto pool = std::make_shared<TodoPool>(*grammar);
  const auto root = std::find_if(grammar->rules.begin(), grammar->rules.end(),
                                 [](const Rule& rule) { return rule.name == "root"; });
  const TodoId first = pool->push(root->expr, 0);
  GrammarPlace place(std::move(grammar), std::move(pool));
  place.stacks_ = {first};
  PEDRO_RETURN_IF_ERROR(place.stand());
  return place;
}

Status GrammarPlace::stand() {
  if (pool_->follow(stacks_, kMaxPlaces, open_, complete_)) return {};
  return Error{ErrorKind::kLimit,
               fmt::format("the text can be at more than {} places of the grammar", kMaxPlaces)};
}

Result<std::size_t> GrammarPlace::accept(std::string_view text) {
  std::size_t taken = 0;
  while (taken < text.size()) {
    const std::size_t length = utf8_sequence_length(text.substr(taken));
    if (length == 0) return taken;
    PEDRO_TRY(const bool stepped, step(text.substr(taken, length)));
    if (!stepped) return taken;
    taken += length;
  }
  return taken;
}

Result<bool> GrammarPlace::step(std::string_view character) {
  std::vector<TodoId> next;
  const char32_t code_point = decode_utf8(character);
  for (const TodoId id : open_) {
    Todo todo = (*pool_)[id];
    if (const auto* set = std::get_if<CharClass>(&todo.expr->node)) {
      if (holds(*set, code_point)) next.push_back(todo.then);
    } else if (text_of(todo).starts_with(character)) {
      todo.at += static_cast<std::uint32_t>(character.size());
      next.push_back(pool_->push(todo));
    }
  }
  if (next.empty()) return false;
  std::vector<TodoId> once;
  for (const TodoId id : next) {
    if (std::find(once.begin(), once.end(), id) == once.end()) once.push_back(id);
  }
  stacks_ = std::move(once);
  if (pool_->size() > kMaxTodos) collect_garbage();
  PEDRO_RETURN_IF_ERROR(stand());
  return true;
}

void GrammarPlace::collect_garbage() {
  auto pool = std::make_shared<TodoPool>(*grammar_);
  for (TodoId& id : stacks_) id = pool->adopt(*pool_, id);
  pool_ = std::move(pool);
}

std::vector<std::string_view> GrammarPlace::characters() const {
  std::vector<std::string_view> found;
  for (const TodoId id : open_) {
    const Todo& todo = (*pool_)[id];
    const std::string_view text = text_of(todo);
    if (text.empty() || (todo.at == 0 && has_id(*todo.expr))) return {};
    const std::string_view first = text.substr(0, utf8_sequence_length(text));
    if (std::find(found.begin(), found.end(), first) == found.end()) found.push_back(first);
  }
  return found;
}

std::string_view GrammarPlace::only_character() const {
  if (complete_) return {};
  const std::vector<std::string_view> found = characters();
  return found.size() == 1 ? found.front() : std::string_view();
}

std::string GrammarPlace::forced_text() const {
  std::string text;
  GrammarPlace ahead = *this;
  while (text.size() < kMaxForced) {
    const std::string character(ahead.only_character());
    if (character.empty()) break;
    const Result<bool> stepped = ahead.step(character);
    if (!stepped || !*stepped) break;
    text += character;
  }
  return text;
}

const Token* GrammarPlace::forced_token() const {
  if (complete_ || open_.size() != 1) return nullptr;
  const Todo& todo = (*pool_)[open_.front()];
  const auto* token = std::get_if<Token>(&todo.expr->node);
  return token != nullptr && token->id && !token->negated && todo.at == 0 ? token : nullptr;
}

std::vector<std::string> GrammarPlace::choices(std::size_t max_bytes,
                                               std::size_t max_choices) const {
  struct Branch {
    GrammarPlace place;
    std::string text;
  };
  std::vector<std::string> out;
  std::vector<Branch> branches = {{*this, ""}};
  while (!branches.empty()) {
    const Branch branch = std::move(branches.back());
    branches.pop_back();
    const bool decided = branch.place.complete_ || branch.text.size() >= max_bytes;
    std::vector<std::string_view> next;
    if (!decided) next = branch.place.characters();
    if (next.empty()) {
      if (branch.text.empty() || !is_ascii(branch.text)) return {};
      out.push_back(branch.text);
    }
    if (out.size() + branches.size() + next.size() > max_choices) return {};
    for (std::size_t i = next.size(); i-- > 0;) {
      Branch longer{branch.place, branch.text + std::string(next[i])};
      const Result<bool> stepped = longer.place.step(next[i]);
      if (!stepped || !*stepped) return {};
      const std::string forced = longer.place.forced_text().substr(0, max_bytes);
      if (!longer.place.accept(forced)) return {};
      longer.text += forced;
      branches.push_back(std::move(longer));
    }
  }
  return out;
}

Gbnf GrammarPlace::rest() const {
  std::vector<Expr> options;
  for (TodoId id : stacks_) {
    std::vector<Expr> items;
    for (; id != 0; id = (*pool_)[id].then) items.push_back(expr_of((*pool_)[id]));
    options.push_back(sequence(std::move(items)));
  }
  Gbnf out;
  out.rules.push_back({"root", alternation(std::move(options))});
  const Expr* old_root = nullptr;
  for (const Rule& rule : grammar_->rules) {
    if (rule.name == "root") {
      old_root = &rule.expr;
    } else {
      out.rules.push_back(rule);
    }
  }
  keep_root(out, *old_root);
  drop_unreachable(out);
  return out;
}

}  // namespace pedro
