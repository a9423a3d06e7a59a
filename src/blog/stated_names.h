#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns the names in a text, each once. Names are capitalized words inside a sentence, words
/// with several capitals, digits or signs, and code in backticks. Example: "Maria ran `\d orders`
/// on replica 2, CONCURRENTLY" has Maria, \d orders and CONCURRENTLY. Ignores capitalized words in
/// languages that capitalize nouns.
std::vector<std::string> stated_names(std::string_view text);

/// Returns the names of `note` that `text` lacks. Ignores case.
std::vector<std::string> missing_names(std::string_view note, std::string_view text);

/// Returns the number of negations in an English text: "no", "not", "never", "without", "n't", ….
std::size_t count_negations(std::string_view text);

}  // namespace pedro
