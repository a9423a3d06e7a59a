#include "job/job_id.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxAgentBytes = 24;
constexpr std::size_t kMillisecondBytes = 4;  // "042-", parsed as a part of the agent
constexpr std::size_t kDigits = 4;
constexpr std::string_view kTimePattern = "99999999-999999-";

bool is_agent_char(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}

bool begins_with_time(std::string_view text) {
  if (text.size() < kTimePattern.size()) return false;
  return std::equal(kTimePattern.begin(), kTimePattern.end(), text.begin(),
                    [](char pattern, char c) { return pattern == '9' ? is_digit(c) : c == '-'; });
}

}  // namespace

std::string new_job_id(long long now_ms, std::string_view agent, std::uint32_t random) {
  std::string name = to_lower(agent.substr(0, kMaxAgentBytes));
  for (char& c : name) {
    if (!is_agent_char(c)) c = '-';
  }
  if (name.empty()) name = "job";
  const std::string time = to_rfc3339(now_ms);  // 2026-11-21T21:45:00.000Z
  return fmt::format("{}{}{}-{}{}{}-{}-{}-{:04x}", time.substr(0, 4), time.substr(5, 2),
                     time.substr(8, 2), time.substr(11, 2), time.substr(14, 2), time.substr(17, 2),
                     time.substr(20, 3), name, random & 0xffffu);
}

bool is_job_id(std::string_view text) {
  if (!begins_with_time(text)) return false;
  text.remove_prefix(kTimePattern.size());
  if (text.size() < 6 || text.size() > kMillisecondBytes + kMaxAgentBytes + 5) return false;
  const std::string_view digits = text.substr(text.size() - kDigits);
  const std::string_view agent = text.substr(0, text.size() - 5);
  return text[text.size() - 5] == '-' && std::all_of(digits.begin(), digits.end(), is_hex) &&
         std::all_of(agent.begin(), agent.end(), is_agent_char);
}

bool names_job(std::string_view text, std::string_view id) {
  if (text.size() < kDigits) return false;
  return id.starts_with(text) || (text.size() == kDigits && id.ends_with(text));
}

}  // namespace pedro
