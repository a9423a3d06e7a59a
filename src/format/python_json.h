#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// JSON as Python writes it, which is what models were shown where their reference is written in
/// Python: json.dumps(json.loads(text), ensure_ascii=False). Blanks stand behind ',' and ':' and
/// nowhere else; characters beyond ASCII, '/' and U+007F stand as they are; of members with the
/// same name the last counts, in the first one's place; whole numbers keep all their digits, others
/// are the shortest that read back as the same double (1e5 is 100000.0, 1e16 is 1e+16). NaN,
/// Infinity and -Infinity are numbers. Half of a surrogate pair becomes U+FFFD. Nothing where
/// json.loads refuses the text, or where it is nested more than 500 deep. `text` has to be UTF-8.
std::optional<std::string> python_json(std::string_view text);

/// `text`, which has to be UTF-8, as a JSON string with its quotes.
std::string python_json_string(std::string_view text);

/// What Python reads `text` as where it can be read, otherwise `text` as a string.
std::string python_json_or_string(std::string_view text);

}  // namespace pedro
