#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace pedro {

/// What a reference makes of a conversation.
struct ReferenceRow {
  std::string name;
  std::string format;               ///< of `pedrocli format list`
  std::string request;              ///< JSON
  std::optional<bool> valid;        ///< nothing: it was not asked
  std::optional<std::string> text;  ///< nothing: it cannot write the conversation
  std::optional<std::vector<TokenId>> ids;
};

/// Of a file of lines {"name", "format", "request", "valid", "text", "ids"}; where a line has no
/// "request", that of the same name in the lines {"name", "request"} of `requests`.
std::vector<ReferenceRow> read_reference_rows(const std::string& path,
                                              const std::string& requests = "");

/// Of a JSON file {"requests": {id: …}, "expected": [{"id", "tokenizer", …}], "upstream_tests":
/// […]} as other projects exchange them.
std::vector<ReferenceRow> read_reference_vectors(const std::string& path);

/// What of `row` we do otherwise; "" where nothing. Ids are compared where there is a tokenizer.
std::string difference_from(const ReferenceRow& row, Tokenizer* tokenizer);

}  // namespace pedro
