#include "gbnf/grammar_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "gbnf/left_recursion.h"
#include "gbnf/rule_graph.h"
#include "gbnf/todo_pool.h"

namespace pedro {
namespace {

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
