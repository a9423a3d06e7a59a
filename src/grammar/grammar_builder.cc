#include "grammar/grammar_builder.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace pedro {

Expr GrammarBuilder::add(std::string_view name, Expr body) {
  auto [known, is_new] = name_of_body_.try_emplace(print(body));
  if (is_new) {
    known->second = free_name(name);
    rules_.push_back(Rule{known->second, std::move(body)});
  }
  return rule_ref(known->second);
}

std::string GrammarBuilder::reserve(std::string_view name) {
  std::string reserved = free_name(name);
  reserved_.emplace(reserved, rules_.size());
  rules_.push_back(Rule{reserved, {}});
  return reserved;
}

void GrammarBuilder::define(const std::string& name, Expr body) {
  const auto reserved = reserved_.find(name);
  assert(reserved != reserved_.end());
  rules_[reserved->second].expr = std::move(body);
}

Gbnf GrammarBuilder::finish(Expr root) {
  Gbnf grammar;
  grammar.rules.push_back(Rule{"root", std::move(root)});
  for (Rule& rule : rules_) grammar.rules.push_back(std::move(rule));
  *this = GrammarBuilder(blanks_);
  return grammar;
}

std::string GrammarBuilder::free_name(std::string_view wanted) {
  const std::string stem = rule_name(wanted);
  std::string name = stem;
  if (names_.insert(name).second) return name;
  int& number = last_number_.try_emplace(stem, 1).first->second;
  do {
    name = fmt::format("{}-{}", stem, ++number);
  } while (!names_.insert(name).second);
  return name;
}

}  // namespace pedro
