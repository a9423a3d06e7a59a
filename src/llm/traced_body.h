#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns a JSON body for a trace: whole, but with only the first and the last ids of each long
/// list of token ids, and the number of the omitted ones between them. Accepts any bytes. Takes
/// linear time.
std::string traced_body(std::string_view body);

}  // namespace pedro
