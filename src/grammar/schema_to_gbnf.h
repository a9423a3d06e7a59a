#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/grammar_builder.h"
#include "grammar/loose_ends.h"
#include "grammar/schema.h"
#include "grammar/text_set.h"

namespace pedro {

/// Adds the rules for `schema` to `grammar` and returns what matches one value, written as JSON:
///   - properties in declared order, optional ones there or not, then those that are not declared,
///     where these are allowed; names that are declared do not come among them;
///   - one blank after ':' and ',', which is optional unless the grammar's JsonBlanks say
///   otherwise,
///     and no other white space;
///   - strings as json_char() has them; those of patterns, formats and names with the usual escapes
///     only, so that each text has one form;
///   - numbers as number_set() has them;
///   - enum and const as they are written compactly.
/// Every text it matches is JSON, and but for what is appended to `loosened` (and what is in
/// Schema::unchecked) it passes validate(). A schema that nothing fits gives what matches nothing.
/// `name` begins the names of the rules. Same input, same bytes.
Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened);

/// A text that ends what JSON stands in, and therefore cannot stand in a string or a name of it.
struct BannedText {
  std::string text;  ///< not empty
  TextSet without;   ///< the texts that do not have it
};

/// How members of an object are written that stand one behind the other instead of in JSON, each as
/// `open` NAME `middle` VALUE `end`. A VALUE that is a string stands there as it is, without quotes
/// and escapes; any other is JSON.
struct ParametersApart {
  Expr open;
  Expr middle;
  Expr end;
  TextSet texts;  ///< what a VALUE without quotes may be: `end` is to be found behind it
  std::optional<BannedText> banned;  ///< of a VALUE that is JSON
  /// Which members; the others are JSON in front of them, and `before` stands in between. Nothing:
  /// all of them, and there is no JSON.
  std::optional<std::vector<std::string>> names;
  Expr before;
};

/// As add_schema(), for an object of which members are written apart: in declared order, optional
/// ones there or not. Where all are apart, only members that the schema names are written; how many
/// there are, and rules of a schema's own, cannot be held to and are reported. Lengths of more than
/// a few characters are approximate, which is reported too. A VALUE that the schema allows to be a
/// string may read like JSON of another type.
Expr add_parameters(GrammarBuilder& grammar, const Schema& schema, const ParametersApart& apart,
                    std::string_view name, std::vector<Loosened>& loosened);

}  // namespace pedro
