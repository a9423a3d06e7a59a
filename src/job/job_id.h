#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// "20261121-214500-042-build-7f3a": the time in UTC to the millisecond, the agent, four digits of
/// `random`. Sorted by text, ids are sorted by time. What is not a-z, 0-9 in `agent` becomes '-',
/// at most 24 bytes.
std::string new_job_id(long long now_ms, std::string_view agent, std::uint32_t random);

/// True for what new_job_id makes, and made when it left out the milliseconds, so that an id from a
/// command line can be part of a path.
bool is_job_id(std::string_view text);

/// Whether `text`, at least four bytes, is a beginning of the id, or its last four digits.
bool names_job(std::string_view text, std::string_view id);

}  // namespace pedro
