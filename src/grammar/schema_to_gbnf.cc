#include "grammar/schema_to_gbnf.h"

#include "grammar/schema_converter.h"
#include "grammar/schema_parameters.h"

namespace pedro {

Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened) {
  return SchemaConverter(grammar, schema, nullptr, loosened).convert_root(name);
}

Expr add_parameters(GrammarBuilder& grammar, const Schema& schema, const ParametersApart& apart,
                    std::string_view name, std::vector<Loosened>& loosened) {
  SchemaConverter values(grammar, schema, apart.banned ? &*apart.banned : nullptr, loosened);
  return ParameterRules(values, apart).convert_root(name);
}

}  // namespace pedro
