#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns a JSON body for a trace. Keeps only the first and the last ids of each long list of
/// token ids. The number of the omitted ones is between them. The rest is whole. Accepts any bytes.
/// Takes linear time.
std::string traced_body(std::string_view body);

}  // namespace pedro
