#pragma once

#include <string>

#include "command.h"

namespace pedro {

/// Resumes the stopped job that the user named (see choose_job). Changes into the job's folder and
/// schedules its command line, overridden by the current flags. Current paths remain relative to
/// the current folder. Errors: the job does not exist, is done, is running, has no stored answers
/// or is of another version. Also if its folder is missing, or it is not of `agent` (unless "").
Result<int> take_up_job(CommandContext& context, const std::string& given,
                        const std::string& agent = "");

/// Continues a job of `agent` that is finished (JobSummary) with the message `text`, like
/// take_up_job(). Errors: those of take_up_job(), but the job must be finished; an empty or too
/// long text.
Result<int> take_up_conversation(CommandContext& context, const std::string& given,
                                 const std::string& agent, const std::string& text);

/// Returns an error (kUsage) unless the job is one of the project at `root`.
Status require_own_project(CommandContext& context, const std::string& given,
                           const std::string& root);

/// Resumes the job with the current command line, which must provide all its inputs. Schedules no
/// command line. Errors: those of take_up_job(); the job works in another folder than `root`.
Status take_up_here(CommandContext& context, const std::string& given, const std::string& agent,
                    const std::string& root);

}  // namespace pedro
