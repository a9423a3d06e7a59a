#pragma once

#include <string>

#include "base/result.h"
#include "chat/message.h"
#include "sys/process.h"
#include "tools/tool.h"

namespace pedro {

/// Returns the end of a command in brackets, one item per line. Items are "[exit 1]", "[timed out
/// after 120 s; ...]", "[left processes behind; they were ended]", and notes of the sandbox.
/// Includes exit code 0. Excludes durations, so that equal runs have equal texts.
std::string ending_of(const ProcessResult& result, double timeout_s);

/// Returns stdout followed by stderr, without trailing blanks.
std::string output_of(const ProcessResult& result);

/// Returns output and end as the result for the model. `ok` if the command exited with 0.
ToolResult report(const ProcessResult& result, double timeout_s);

/// Returns the answer of a tool whose command could not run. The model learns of missing programs
/// and refused paths. Errors: only kInterrupted.
Result<ToolResult> answer_for_command(const Error& error);

/// Returns the argv that runs a model's line in bash, or in sh without bash. In bash, a pipeline
/// fails if one of its parts fails, and the output names that part. Parts ended by SIGPIPE do not
/// count.
std::vector<std::string> shell_command(const ProcessRunner& commands, const std::string& line);
/// Returns the line of shell_command(), or of another `SHELL -c`. "" for other commands.
std::string_view line_in_shell(const std::vector<std::string>& argv);

/// Runs a command and reports its result. Refuses a program that is not installed. Errors: only
/// kInterrupted.
Result<ToolResult> run_reported(const Command& command, ToolContext& context);

}  // namespace pedro
