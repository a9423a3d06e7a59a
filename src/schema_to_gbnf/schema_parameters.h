#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema_to_gbnf/schema_converter.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {

/// Writes the members of an object one after the other instead of as JSON (see ParametersApart).
/// Borrows both arguments; one thread.
class ParameterRules {
 public:
  /// `values` writes the parts that are JSON; its banned text must be that of `apart`.
  ParameterRules(SchemaConverter& values, const ParametersApart& apart)
      : values_(values),
        grammar_(values.grammar()),
        schema_(values.schema()),
        loose_(values.loose()),
        apart_(apart) {}

  /// Writes the whole schema. The result matches nothing if no value is valid.
  Expr convert_root(std::string_view name);

 private:
  using Value = SchemaConverter::Value;

  /// A member, and whether it must be present.
  struct Parameter {
    Expr written;
    bool needed = false;
  };

  Expr parameter(std::string_view name, Expr value) const;
  Expr separated(std::vector<Parameter> members, const std::string& name);
  void report_between(const Shape& shape, std::size_t members);
  Value parameters(const Shape& shape, const std::string& name, std::span<const std::string> names);
  Value object_and_parameters(const Shape& shape, const std::string& name);
  void add_constant_parameters(const Shape& shape, const Goal& goal, std::vector<Expr>& options);
  Value constant_text(const Json& value) const;
  Value quoted_value(const Goal& goal, const std::string& name);
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
