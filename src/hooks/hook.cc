#include "hooks/hook.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 9> kEvents = {
    "SessionStart", "UserPromptSubmit", "PhaseStart", "PreToolUse", "PostToolUse",
    "PreCompact",   "PostCompact",      "Stop",       "SessionEnd"};
constexpr std::array<std::string_view, 4> kEventsOfOthers = {"Notification", "SubagentStart",
                                                             "SubagentStop", "PermissionRequest"};
constexpr std::size_t kMaxHooks = 64;
constexpr double kMaxTimeout_s = 600;
constexpr std::size_t kMaxShownBytes = 80;

std::optional<HookEvent> parse_event(std::string_view name) {
  const auto found = std::find(kEvents.begin(), kEvents.end(), name);
  if (found == kEvents.end()) return std::nullopt;
  return static_cast<HookEvent>(found - kEvents.begin());
}

std::string shown(std::string_view text) {
  return one_line(truncate_utf8(text, kMaxShownBytes));
}

Result<std::shared_ptr<const TextPattern>> read_matcher(const Json& group) {
  const Json& given = member(group, "matcher");
  if (!given.is_null() && !given.is_string()) {
    return config_error("matcher: expected a text, got " + shown(to_line(given)));
  }
  const std::string text = text_of(group, "matcher");
  if (text.empty() || text == "*") return std::shared_ptr<const TextPattern>();
  auto pattern = TextPattern::compile("^(?:" + text + ")$", TextPattern::Unit::kCharacter);
  if (!pattern) {
    return config_error(fmt::format("matcher: '{}': {}", shown(text), pattern.error().message));
  }
  return std::make_shared<const TextPattern>(*std::move(pattern));
}

Result<Hook> read_hook(const Json& json) {
  Hook hook;
  if (const std::string type = text_of(json, "type", "command"); type != "command") {
    return config_error(
        fmt::format("type: expected 'command', the only supported type, got '{}'", shown(type)));
  }
  hook.command = text_of(json, "command");
  if (trim(hook.command).empty()) return config_error("command: expected a command");
  const Json& timeout = member(json, "timeout");
  if (timeout.is_null()) return hook;
  hook.timeout_s = timeout.is_number() ? timeout.get<double>() : 0;
  if (hook.timeout_s >= 1 && hook.timeout_s <= kMaxTimeout_s) return hook;
  return config_error(fmt::format("timeout: expected 1 to {} seconds, got {}",
                                  static_cast<int>(kMaxTimeout_s), shown(to_line(timeout))));
}

// Adds the hooks of one event.
Status add_groups(HookEvent event, const Json& groups, std::vector<Hook>& hooks) {
  if (!groups.is_array()) return config_error("expected a list");
  for (const Json& group : groups) {
    PEDRO_TRY(const auto matcher, read_matcher(group));
    const Json& entries = member(group, "hooks");
    if (!entries.is_array()) return config_error("expected objects with a list 'hooks'");
    for (const Json& entry : entries) {
      PEDRO_TRY(Hook hook, read_hook(entry));
      hook.event = event;
      hook.matcher = matcher;
      hooks.push_back(std::move(hook));
      if (hooks.size() > kMaxHooks)
        return config_error(fmt::format("more than {} hooks", kMaxHooks));
    }
  }
  return {};
}

}  // namespace

std::string_view to_string(HookEvent event) {
  return kEvents[static_cast<std::size_t>(event)];
}

bool can_block(HookEvent event) {
  return event != HookEvent::kPhaseStart && event != HookEvent::kPreCompact &&
         event != HookEvent::kPostCompact && event != HookEvent::kSessionEnd;
}

Result<std::vector<Hook>> read_hooks(std::string_view place, const Json& hooks) {
  std::vector<Hook> found;
  for (const auto& [name, groups] : hooks.items()) {
    if (name.starts_with("//")) continue;
    const auto event = parse_event(name);
    const bool is_other =
        std::find(kEventsOfOthers.begin(), kEventsOfOthers.end(), name) != kEventsOfOthers.end();
    if (!event && (is_other || !groups.is_array())) continue;  // the Go program had other members
    if (!event) {
      const std::vector<std::string> known(kEvents.begin(), kEvents.end());
      return config_error(fmt::format("{}: hooks: unknown event '{}'{}; there are: {}", place,
                                      shown(name), did_you_mean(name, known), join(known, ", ")));
    }
    const Status added = add_groups(*event, groups, found);
    if (!added) return added.error().at(fmt::format("{}: hooks: {}", place, name));
  }
  return found;
}

}  // namespace pedro
