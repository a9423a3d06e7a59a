#include "tools/command_report.h"

#include <fmt/format.h>

namespace pedro {
namespace {

// A prefix without newlines, so that bash reports the model's line numbers.
constexpr std::string_view kPipelines =
    "set -o pipefail; trap 'code=$? parts=(\"${PIPESTATUS[@]}\"); last=${parts[-1]}; "
    "if [ $code -ne 0 ] && [ $last -eq 0 ]; then failed=0; for i in ${!parts[@]}; do "
    "case ${parts[i]} in 0 | 141) ;; *) failed=${parts[i]}; "
    "echo \"[part $((i + 1)) of the pipeline failed, exit $failed]\" >&2 ;; esac; done; "
    "[ $code -ne 141 ] || exit $failed; fi' EXIT; ";

std::string_view without_end_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::string ending_of(const ProcessResult& result, double timeout_s) {
  std::string text = fmt::format("[exit {}]", result.exit_code);
  if (result.idle_s > 0) {
    text = fmt::format(
        "[timed out: for {:g} s it printed nothing and did nothing, as if it waited for input, a "
        "lock or the network, which it does not have here; the process group was ended]",
        result.idle_s);
  } else if (result.spin_s > 0) {
    text = fmt::format(
        "[timed out: for {:g} s it computed without input or output, as in an endless loop; the "
        "process group was ended]",
        result.spin_s);
  } else if (result.timed_out) {
    text = fmt::format("[timed out after {:g} s; the process group was ended]", timeout_s);
  }
  if (result.left_children) text += "\n[left processes behind; they were ended]";
  for (const std::string& note : result.notes) text += fmt::format("\n[{}]", note);
  return text;
}

std::string output_of(const ProcessResult& result) {
  std::string text(without_end_blanks(result.out));
  const std::string_view err = without_end_blanks(result.err);
  if (!text.empty() && !err.empty()) text += '\n';
  return text.append(err);
}

ToolResult report(const ProcessResult& result, double timeout_s) {
  std::string text = output_of(result);
  if (!text.empty()) text += '\n';
  const std::string ending = ending_of(result, timeout_s);
  ToolResult reported{result.ok(), text + ending, {}};
  reported.ended = ending.substr(0, ending.find('\n'));
  return reported;
}

Result<ToolResult> answer_for_command(const Error& error) {
  if (error.kind == ErrorKind::kInterrupted) return error;
  return refuse(error.message);
}

std::vector<std::string> shell_command(const ProcessRunner& commands, const std::string& line) {
  if (commands.find("bash").empty()) return {"sh", "-c", line};
  return {"bash", "-c", std::string(kPipelines) + line};
}

std::string_view line_in_shell(const std::vector<std::string>& argv) {
  if (argv.size() != 3 || argv[1] != "-c") return "";
  const std::string_view line = argv[2];
  return line.starts_with(kPipelines) ? line.substr(kPipelines.size()) : line;
}

Result<ToolResult> run_reported(const Command& command, ToolContext& context) {
  const auto result = context.commands.run(command, context.cancel);
  if (!result) return answer_for_command(result.error());
  return report(*result, command.timeout_s);
}

}  // namespace pedro
