#include "policy_setup.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr int kMaxTries = 3;
constexpr std::size_t kMaxDeniedLines = 20;
constexpr std::size_t kMaxShownBytes = 200;

std::string indented(const std::string& text) {
  return "  " + replace_all(text, "\n", "\n  ");
}

Result<policy::Answer> ask(const policy::Question& question, const CancelToken& cancel) {
  print_error(
      fmt::format("The model wants to run\n\n{}\n\nand the policy requires your consent\n{}",
                  indented(question.what), indented(question.why)));
  for (int i = 0; i < kMaxTries; ++i) {
    print_error(fmt::format("y: yes, n: no, a: always in this job for {}", question.always));
    PEDRO_TRY(const std::string line, read_line(cancel));
    const std::string answer = to_lower(trim(line));
    if (answer == "y" || answer == "yes") return policy::Answer::kYes;
    if (answer == "a" || answer == "always") return policy::Answer::kAlways;
    if (answer.empty() || answer == "n" || answer == "no") return policy::Answer::kNo;
  }
  return policy::Answer::kNo;
}

// Adds the source of the setting to an error, which begins with its key.
Error at_place(const LoadedConfig& config, const Error& error, bool of_project) {
  const std::string key = error.message.substr(0, error.message.find(':'));
  return error.at(config.origin_of(of_project ? project_origin(key) : key).place);
}

}  // namespace

Result<policy::Policy> read_policy(const LoadedConfig& config) {
  policy::Policy policy;
  for (const bool of_project : {false, true}) {
    const PolicyConfig& rules = of_project ? config.config.project_policy : config.config.policy;
    Status added = policy.add(rules.permissions, rules.commands);
    if (added) added = policy.add_lists(rules.allowed_bash_commands, rules.forbidden_commands);
    if (added) added = policy.add_server_tools(rules.mcp);
    if (!added) return at_place(config, added.error(), of_project);
  }
  return policy;
}

policy::AskForPermission ask_on_terminal(const CancelToken& cancel) {
  if (!is_terminal(StandardStream::kIn) || !is_terminal(StandardStream::kError)) return {};
  return [&cancel](const policy::Question& question) { return ask(question, cancel); };
}

std::string denied_lines(const std::vector<std::string>& denied) {
  if (denied.empty()) return "";
  std::string text = "\n## Not allowed\n\nThe policy requires consent, which was not given.\n\n";
  for (std::size_t i = 0; i < denied.size() && i < kMaxDeniedLines; ++i) {
    const std::string line = replace_all(denied[i], "\n", " ");
    text += fmt::format("- `{}`\n", make_printable(truncate_utf8(line, kMaxShownBytes)));
  }
  if (denied.size() > kMaxDeniedLines) {
    text += fmt::format("- {} more\n", denied.size() - kMaxDeniedLines);
  }
  return text;
}

}  // namespace pedro
