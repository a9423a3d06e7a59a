#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace pedro {

/// The result of a reference implementation for a conversation.
struct ReferenceRow {
  std::string name;
  std::string format;               ///< a name of `pedrocli format list`
  std::string request;              ///< JSON
  std::optional<bool> valid;        ///< nothing: not checked
  std::optional<std::string> text;  ///< nothing: the reference cannot render the conversation
  std::optional<std::vector<TokenId>> ids;
};

/// Reads a file of lines {"name", "format", "request", "valid", "text", "ids"}. A line without
/// "request" uses the request with the same name in the lines {"name", "request"} of `requests`.
std::vector<ReferenceRow> read_reference_rows(const std::string& path,
                                              const std::string& requests = "");

/// Reads a JSON file {"requests": {id: …}, "expected": [{"id", "tokenizer", …}], "upstream_tests":
/// […]}, the exchange format of other projects.
std::vector<ReferenceRow> read_reference_vectors(const std::string& path);

/// Describes the difference between `row` and our result; "" if there is none. Compares ids if
/// there is a tokenizer.
std::string difference_from(const ReferenceRow& row, Tokenizer* tokenizer);

}  // namespace pedro
