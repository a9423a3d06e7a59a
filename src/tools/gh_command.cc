#include "tools/gh_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/command_report.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr double kTimeout_s = 60;
constexpr std::size_t kMaxGhOutputBytes = 8u << 20;
constexpr int kNotLoggedIn = 4;  // https://cli.github.com/manual/gh_help_exit-codes

}  // namespace

Result<std::string> run_gh(const std::string& folder, std::vector<std::string> arguments,
                           ProcessRunner& processes, const CancelToken& cancel,
                           std::optional<std::string> input) {
  if (processes.find("gh").empty()) return usage_error("gh is not installed");
  Command command;
  command.argv = {"gh"};
  std::move(arguments.begin(), arguments.end(), std::back_inserter(command.argv));
  command.folder = folder;
  command.environment = {
      {"GH_PROMPT_DISABLED", "1"}, {"GH_NO_UPDATE_NOTIFIER", "1"}, {"NO_COLOR", "1"}};
  command.input = std::move(input);
  command.timeout_s = kTimeout_s;
  command.max_output_bytes = kMaxGhOutputBytes;
  PEDRO_TRY(auto result, processes.run(command, cancel));
  if (result.ok()) return std::move(result.out);
  if (result.exit_code == kNotLoggedIn)
    return usage_error("gh is not logged in: run gh auth login");
  const std::string said = without_credentials(output_of(result));
  return usage_error(fmt::format("gh {}: {}", command.argv[1],
                                 said.empty() ? ending_of(result, kTimeout_s) : said));
}

}  // namespace pedro
