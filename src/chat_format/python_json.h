#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Rewrites JSON like Python: json.dumps(json.loads(text), ensure_ascii=False). Models with a
/// reference in Python were trained on this spelling. Blanks follow ',' and ':' only. Characters
/// beyond ASCII, '/' and U+007F stay unescaped. Of members with the same name, the last value
/// counts, in the first one's place. Integers keep all digits. Other numbers get the shortest
/// spelling of the same double (1e5 is 100000.0, 1e16 is 1e+16). NaN, Infinity and -Infinity are
/// numbers. An unpaired surrogate becomes U+FFFD. Returns nothing if json.loads refuses the text,
/// or if more than 500 levels are nested. Requires valid UTF-8.
std::optional<std::string> python_json(std::string_view text);

/// Returns `text` as a JSON string with its quotes. Requires valid UTF-8.
std::string python_json_string(std::string_view text);

/// Returns python_json() of `text` if it is JSON, otherwise `text` as a JSON string.
std::string python_json_or_string(std::string_view text);

}  // namespace pedro
