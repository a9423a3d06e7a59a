#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema_converter.h"
#include "grammar/schema_to_gbnf.h"

namespace pedro {

/// Writes members of an object one behind the other, not in JSON (see ParametersApart). Borrows
/// both; one thread.
class ParameterRules {
 public:
  /// `values` writes what is JSON in it; its banned text is that of `apart`.
  ParameterRules(SchemaConverter& values, const ParametersApart& apart)
      : values_(values),
        grammar_(values.grammar()),
        schema_(values.schema()),
        loose_(values.loose()),
        apart_(apart) {}

  /// The whole schema; what nothing fits gives what matches nothing.
  Expr convert_root(std::string_view name);

 private:
  using Value = SchemaConverter::Value;

  Expr parameter(std::string_view name, Expr value) const;
  void report_between(const Shape& shape, std::size_t members);
  Value parameters(const Shape& shape, const std::string& name, std::span<const std::string> names);
  Value object_and_parameters(const Shape& shape, const std::string& name);
  void add_constant_parameters(const Shape& shape, const Goal& goal, std::vector<Expr>& options);
  Value constant_text(const Json& value) const;
  Value text_value(const Goal& goal, const std::string& name);
  Value raw_text(const Shape& shape);
  bool stands_apart(const LiteralGraph& graph) const;

  SchemaConverter& values_;
  GrammarBuilder& grammar_;
  const Schema& schema_;
  LooseEnds& loose_;
  const ParametersApart& apart_;
};

}  // namespace pedro
