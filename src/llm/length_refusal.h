#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace pedro {

struct ServerRefusal;  // llm/server_refusal.h

/// Returns the sizes of a refusal of a prompt for its length, nullopt for any other refusal.
/// length_refusals.json has the codes and sentences of servers. Sizes that it lacks are 0.
std::optional<Overflow> read_length_refusal(const ServerRefusal& refusal);

/// Finds `pattern` in `text`, both in lower case. In a pattern, `{prompt}`, `{window}` and `{}` are
/// numbers, possibly with commas. ` … ` is any text of at most 200 bytes. Numbers are stored in
/// `sizes`, unless they are known.
bool find_length_sentence(std::string_view text, std::string_view pattern, Overflow& sizes);

}  // namespace pedro
