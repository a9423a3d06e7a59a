#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// Returns an id like "20261121-214500-042-build-7f3a": the time in UTC to the millisecond, the
/// agent, four hex digits of `random`. Sorting ids as text sorts them by time. The agent is
/// truncated to 24 bytes; characters other than a-z and 0-9 become '-'.
std::string new_job_id(long long now_ms, std::string_view agent, std::uint32_t random);

/// Returns true if `text` has the format of new_job_id(), or the older one without milliseconds.
/// Such an id from a command line is safe as part of a path.
bool is_job_id(std::string_view text);

/// Returns true if `text` (at least four bytes) is a prefix of the id, or its last four digits.
bool names_job(std::string_view text, std::string_view id);

}  // namespace pedro
