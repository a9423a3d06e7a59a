#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// "20261121-214500-build-7f3a": the time in UTC, the agent, four digits of `random`. Sorted by
/// text, ids are sorted by time. What is not a-z, 0-9 in `agent` becomes '-', at most 24 bytes.
std::string new_job_id(long long now_ms, std::string_view agent, std::uint32_t random);

/// True for what new_job_id makes, so that an id from a command line can be part of a path.
bool is_job_id(std::string_view text);

}  // namespace pedro
