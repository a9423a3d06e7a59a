#include "gbnf/grammar_builder.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kBytesPerByte = 8;  // memory for a byte of a rule's text

}  // namespace

Expr GrammarBuilder::add(std::string_view name, Expr body) {
  auto [known, is_new] = name_of_body_.try_emplace(print(body));
  const std::size_t bytes = known->first.size();
  budget_.spend(8 + bytes / 8, is_new ? 64 + kBytesPerByte * bytes : 0);
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
  budget_.spend(8, 64 + kBytesPerByte * print(body).size());
  const auto reserved = reserved_.find(name);
  assert(reserved != reserved_.end());
  rules_[reserved->second].expr = std::move(body);
}

void GrammarBuilder::roll_back(std::size_t size) {
  for (std::size_t i = size; i < rules_.size(); ++i) names_.erase(rules_[i].name);
  rules_.resize(size);
  std::erase_if(reserved_, [size](const auto& row) { return row.second >= size; });
  std::erase_if(name_of_body_, [this](const auto& row) { return !names_.contains(row.second); });
  shared_.clear();  // may refer to removed rules
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
