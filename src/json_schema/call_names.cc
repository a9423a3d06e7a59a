#include "json_schema/call_names.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::string_view kNamespaces[] = {"functions", "default_api"};
constexpr std::string_view kSeparators = ".:/";
constexpr std::size_t kMaxNameBytes = 200;  // of a name with more around it

template <typename Keys>
void add_key(Keys& keys, const std::string& key, const CallName& call) {
  const auto [found, is_new] = keys.emplace(key, call);
  if (!is_new && found->second != call) found->second.reset();
}

// Removes the text around a name that servers and models add.
std::string_view bare_name(std::string_view name) {
  constexpr std::string_view kAround = " \t\r\n\"'`*";
  name = name.substr(0, name.find("<|"));
  name.remove_prefix(std::min(name.find_first_not_of(kAround), name.size()));
  return name.substr(0, name.find_last_not_of(kAround) + 1);
}

}  // namespace

std::string name_key(std::string_view name) {
  std::string key = to_lower(name);
  std::erase_if(key, [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && (c == '_' || !is_word_byte(c));
  });
  return key;
}

Json with_action(const CallName& name, const Json& args) {
  if (name.action.empty() || args.contains("action")) return args;
  Json all = {{"action", name.action}};
  if (args.is_object()) all.update(args);
  return all;
}

void CallNames::add(const std::string& tool, const std::string& action) {
  names_.insert(tool);
  add_key(tools_, name_key(tool), {tool});
  if (action.empty()) return;
  const CallName call{tool, action};
  add_key(joined_, name_key(tool + action), call);
  add_key(joined_, name_key(action + tool), call);
  add_key(actions_, name_key(action), call);
}

std::optional<CallName> CallNames::look_up(std::string_view name, bool with_actions) const {
  if (names_.contains(name)) return CallName{std::string(name)};
  const std::string key = name_key(name);
  if (key.empty()) return std::nullopt;
  for (const Keys* keys : {&tools_, &joined_, &actions_}) {
    if (keys == &actions_ && !with_actions) break;
    if (const auto found = keys->find(key); found != keys->end()) return found->second;
  }
  return std::nullopt;
}

// Also finds the name after namespaces. Only known ones may precede an action alone.
std::optional<CallName> CallNames::find_in(std::string_view name, bool with_actions) const {
  for (;;) {
    if (auto found = look_up(name, with_actions)) return found;
    std::size_t end = name.find_first_of(kSeparators);
    bool is_known = false;
    for (const std::string_view space : kNamespaces) {
      const bool is_here = name.starts_with(space) && name.size() > space.size();
      if (!is_here || (name[space.size()] != '_' && end != space.size())) continue;
      is_known = true;
      end = space.size();
    }
    if (end >= name.size()) return std::nullopt;
    with_actions = with_actions && is_known;
    name.remove_prefix(end + 1);
  }
}

std::optional<CallName> CallNames::find_any(std::string_view name, bool with_actions) const {
  if (name.size() > kMaxNameBytes) return std::nullopt;
  if (names_.contains(name)) return CallName{std::string(name)};
  name = bare_name(name);
  const std::size_t number = name.find_last_not_of("0123456789");  // "functions.file:0"
  if (number != name.npos && name[number] == ':') name = name.substr(0, number);
  if (auto found = find_in(name, with_actions)) return found;
  return find_in(name.substr(0, name.find_first_of(" \t\r\n\"'`(")), with_actions);
}

}  // namespace pedro
