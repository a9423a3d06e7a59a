#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/grammar_builder.h"
#include "json_schema/loose_ends.h"
#include "json_schema/schema.h"
#include "regular/text_set.h"

namespace pedro {

/// Adds the rules for `schema` to `grammar` and returns an expression for a value in JSON. It has:
/// - members of objects in any order (json_object_in_any_order()); in the declared one with
///   Schema::keeps_order.
/// - one blank after ':' and ',', optional unless the grammar's JsonBlanks require it, and no other
///   white space.
/// - strings as in json_char(). Strings of patterns, formats and names have only the usual escapes,
///   so that each text has one form.
/// - numbers as in number_set().
/// - enum and const in compact form.
///
/// Every matching text is JSON. It passes validate(), except for what is appended to `loosened` and
/// what is in Schema::unchecked. The result matches nothing if no value is valid. Rule names begin
/// with `name`. The same input gives the same bytes.
///
/// Error (kLimit): the rules cost more than a SchemaBudget; it contains the location in the schema.
/// The builder is then as before.
Result<Expr> convert_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                            std::vector<Loosened>& loosened);

/// Like convert_schema(). Reports a schema that costs too much as loosened: the rules allow any
/// object with the declared names. They allow any value if the schema is not about objects.
Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened);

/// A text that ends the context around JSON, so it must not occur in the JSON's strings or names.
struct BannedText {
  std::string text;  ///< not empty
  TextSet without;   ///< the texts that do not contain it
};

/// The format of an object's members that are written one after the other instead of as JSON. Each
/// is `open` NAME `middle` VALUE `end`. A string VALUE is verbatim, without quotes and escapes; any
/// other is JSON.
struct ParametersApart {
  Expr open;
  Expr middle;
  Expr end;
  Expr between;            ///< between two members
  Expr before_text;        ///< before a string VALUE
  Expr after_text;         ///< after a string VALUE
  Expr before_json;        ///< before any other
  bool in_quotes = false;  ///< a string VALUE is JSON too
  TextSet texts;       ///< allowed for an unquoted VALUE, so that `end` after it is recognizable
  TextSet long_texts;  ///< the same for one without a maximum length
  std::optional<BannedText> banned;  ///< for a VALUE that is JSON
  /// The members to write apart; the others are JSON before them, separated by `before`. nullopt:
  /// all members, without JSON.
  std::optional<std::vector<std::string>> names;
  Expr before;
};

/// Like add_schema(), for an object whose members are written apart: in declared order, optional
/// ones present or absent. If all are apart, only members that the schema names are written.
/// Reports limits on their number, and x-gbnf rules, because these cannot be enforced. Also reports
/// lengths of more than a few characters, because they are approximate. A VALUE that the schema
/// allows to be a string may look like JSON of another type.
Expr add_parameters(GrammarBuilder& grammar, const Schema& schema, const ParametersApart& apart,
                    std::string_view name, std::vector<Loosened>& loosened);

}  // namespace pedro
