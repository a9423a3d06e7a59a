#include "schema_to_gbnf/schema_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "schema_to_gbnf/schema_texts.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxCells = 16;
constexpr std::size_t kMaxCellSize = 4000;  // states and arcs of all cells

Result<TextSet> texts_among(const Schema& schema, const Goal& goal, const ValueIs& values,
                            SchemaBudget& budget) {
  std::vector<std::string_view> texts;
  for (const Json& value : values.values) {
    if (value.is_string() && fits(schema, goal, value, budget)) {
      texts.emplace_back(value.get_ref<const std::string&>());
      budget.spend(4 * texts.back().size());
    }
  }
  return TextSet::of(texts);
}

Result<TextSet> texts_of_goal(const Schema& schema, const Goal& goal, LooseEnds& loose) {
  Result<TextSet> all = TextSet();
  std::set<Goal> seen{goal};
  std::vector<Goal> todo{goal};
  while (!todo.empty() && all) {
    const Goal at = std::move(todo.back());
    todo.pop_back();
    const Ways ways = find_ways(schema, at, loose);
    for (const Goal& option : ways.goals) {
      if (seen.insert(option).second) todo.push_back(option);
    }
    for (const Shape& shape : ways.shapes) {
      if ((shape.types & kStringType) == 0) continue;
      if (!shape.raw.empty()) return Error{ErrorKind::kLimit, "x-gbnf is not supported for names"};
      const Result<TextSet> some =
          shape.values.empty() ? texts_of(shape, loose)
                               : texts_among(schema, at, *shape.values.front(), loose.budget());
      if (all) all = some ? union_of(*all, *some, &loose.budget()) : some;
    }
  }
  return all;
}

/// A cell under construction.
struct Cell {
  TextSet names;
  std::vector<Term> terms;
  std::vector<const Properties*> covering;  ///< rules that cover these names
  bool matched = false;                     ///< by a pattern of the current rules
};

bool is_closed(const Shape& shape) {
  return std::any_of(shape.properties.begin(), shape.properties.end(), [](const auto* rules) {
    return rules->others == Schema::kNothing && rules->patterns.empty();
  });
}

// The names that other_names() excludes, sorted to be independent of their order.
std::vector<std::string> excluded_names(const Shape& shape) {
  std::vector<std::string> names = listed_names(shape);
  names.insert(names.end(), shape.absent.begin(), shape.absent.end());
  std::sort(names.begin(), names.end());
  return names;
}

TextSet without_excluded(const Shape& shape, const TextSet& all, LooseEnds& loose) {
  const std::vector<std::string> excluded = excluded_names(shape);
  if (excluded.empty()) return all;
  for (const std::string& name : excluded) loose.budget().spend(4 * name.size());
  const Result<TextSet> declared = TextSet::of({excluded.begin(), excluded.end()});
  Result<TextSet> rest = declared ? difference(all, *declared, &loose.budget()) : declared;
  if (rest) return *std::move(rest);
  loose.add(shape.source("properties"), "properties", "a second member of a declared name");
  return all;
}

// Splits every cell by the pattern. Does not split further once the cells are large together.
std::vector<Cell> cut(std::vector<Cell> cells, const Properties::Pattern& pattern, SchemaId where,
                      LooseEnds& loose) {
  std::size_t size = 0;
  for (const Cell& cell : cells) size += cell.names.size();
  std::vector<Cell> out;
  for (Cell& cell : cells) {
    loose.budget().spend(1 + cell.terms.size());
    const bool too_large = size > kMaxCellSize || out.size() >= kMaxCells;
    const Result<TextSet> in =
        too_large ? TextSet() : intersection(cell.names, pattern.names, &loose.budget());
    const Result<TextSet> rest =
        too_large || !in ? in : difference(cell.names, pattern.names, &loose.budget());
    if (!in || !rest || too_large) {
      loose.add(where, "patternProperties", "other values");
      cell.matched = true;  // some of its names match, so the schema of other names must not apply
      out.push_back(std::move(cell));
      continue;
    }
    if (!in->is_empty()) {
      size += in->size();
      Cell& matched = out.emplace_back(Cell{*in, cell.terms, cell.covering, true});
      matched.terms.push_back(Term{pattern.value, false});
    }
    if (rest->is_empty()) continue;
    cell.names = *rest;
    out.push_back(std::move(cell));
  }
  return out;
}

std::vector<Cell> cut_by(std::vector<Cell> cells, const Properties& rules, SchemaId where,
                         LooseEnds& loose) {
  for (Cell& cell : cells) cell.matched = false;
  for (const Properties::Pattern& pattern : rules.patterns) {
    cells = cut(std::move(cells), pattern, where, loose);
  }
  for (Cell& cell : cells) {
    if (!cell.matched) cell.terms.push_back(Term{rules.others, false});
    if (cell.matched || rules.others_declared) cell.covering.push_back(&rules);
  }
  return cells;
}

// Adds the terms of "unevaluatedProperties" for names that only the rules `covering` cover.
void add_rest(const Shape& shape, const std::vector<const Properties*>& covering,
              std::vector<Term>& terms) {
  for (const auto& rest : shape.other_properties) {
    const bool covered = std::ranges::find_first_of(covering, rest.covering) != covering.end();
    if (!covered) terms.push_back(Term{rest.rule->value, false});
  }
}

}  // namespace

std::vector<std::string> listed_names(const Shape& shape) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const Properties* rules : shape.properties) {
    for (const auto& property : rules->declared) add(property.first);
  }
  for (const std::string& name : shape.required) add(name);
  for (const auto& member : shape.members) add(member.first);
  return names;
}

std::vector<Term> member_terms(const Shape& shape, const std::string& name, LooseEnds& loose) {
  std::vector<Term> terms;
  std::vector<const Properties*> covering;
  for (const Properties* rules : shape.properties) {
    loose.budget().spend(2 + rules->declared.size() / 8 + rules->patterns.size());
    const std::size_t before = terms.size();
    if (const SchemaId* declared = rules->find(name)) terms.push_back(Term{*declared, false});
    for (const Properties::Pattern& pattern : rules->patterns) {
      if (pattern.names.contains(name)) terms.push_back(Term{pattern.value, false});
    }
    const bool said = terms.size() > before;
    if (!said) terms.push_back(Term{rules->others, false});
    if (said || rules->others_declared) covering.push_back(rules);
  }
  add_rest(shape, covering, terms);
  for (const auto& [member, term] : shape.members) {
    if (member == name) terms.push_back(term);
  }
  return terms;
}

std::optional<TextSet> allowed_names(const Schema& schema, const Shape& shape, LooseEnds& loose) {
  const Goal goal = goal_of(schema, shape.names);
  if (goal.empty()) return std::nullopt;
  Result<TextSet> names = texts_of_goal(schema, goal, loose);
  if (!names) {
    loose.add(shape.source("propertyNames"), "propertyNames", "any name; " + names.error().message);
  }
  if (!names || names->is_any()) return std::nullopt;
  return *std::move(names);
}

std::vector<NameCell> other_names(const Shape& shape, const std::optional<TextSet>& allowed,
                                  LooseEnds& loose) {
  if (is_closed(shape)) return {};
  std::vector<Cell> cells(1);
  cells[0].names = without_excluded(shape, allowed ? *allowed : TextSet::any(), loose);
  if (cells[0].names.is_empty()) return {};
  for (const Properties* rules : shape.properties) {
    cells = cut_by(std::move(cells), *rules, shape.source("properties"), loose);
  }
  std::vector<NameCell> out;
  for (Cell& cell : cells) {
    add_rest(shape, cell.covering, cell.terms);
    out.push_back(NameCell{std::move(cell.names), std::move(cell.terms)});
  }
  return out;
}

std::string names_key(const Shape& shape, const Schema& schema) {
  std::string key;
  for (const std::string& name : excluded_names(shape)) key += to_line(Json(name));
  for (const Properties* rules : shape.properties) {
    for (const auto& pattern : rules->patterns) key += " in " + to_line(Json(pattern.text));
  }
  for (const Term& term : shape.names) {  // ids are meaningful only within their schema
    key += fmt::format(" {}{} of {}", term.negated ? "!" : "", term.id, schema.fingerprint);
  }
  return key;
}

}  // namespace pedro
