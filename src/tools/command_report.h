#pragma once

#include <string>

#include "base/result.h"
#include "chat/message.h"
#include "sys/process.h"
#include "tools/shell_text.h"
#include "tools/tool.h"

namespace pedro {

/// What is wrong with how a command ended, in brackets: "[exit 1]", "[timed out after 120 s; …]",
/// "[left processes behind; they were ended]", one per line. An exit of 0 is named too. Durations
/// are not, so that the same run has the same text.
std::string ending_of(const ProcessResult& result, double timeout_s);

/// What a command printed: stdout, then stderr, without blanks at the end.
std::string output_of(const ProcessResult& result);

/// Both of them, as the text for the model; ok where the command exited with 0.
ToolResult report(const ProcessResult& result, double timeout_s);

/// What a tool that runs commands answers where `error` came up: a program that is missing and a
/// path that is refused are the model's to know; only kInterrupted stops the job.
Result<ToolResult> answer_for_command(const Error& error);

/// Returns the argv that runs a model's line. In bash a pipeline fails if one of its parts does,
/// and the output names that part; a part that its reader has stopped (SIGPIPE) does not count.
std::vector<std::string> shell_command(const ProcessRunner& commands, const std::string& line);
/// Returns the line of shell_command(), or of another `sh -c`. "" for other commands.
std::string_view line_in_shell(const std::vector<std::string>& argv);

/// The shell for lines that the model writes: bash where it is installed, else sh.
std::string shell_for(const ProcessRunner& commands);
ShellDialect dialect_of(const ProcessRunner& commands);

/// Runs it. A program that is not installed is a refusal; Error is kInterrupted only.
Result<ToolResult> run_reported(const Command& command, ToolContext& context);

}  // namespace pedro
