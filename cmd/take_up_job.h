#pragma once

#include <string>

#include "command.h"

namespace pedro {

/// Resumes the stopped job that the user named (see choose_job). Changes into the job's folder and
/// schedules its command line, overridden by the current flags. Current paths remain relative to
/// the current folder. Errors: the job does not exist, is done, is running, has no stored answers
/// or is of another version; its folder is missing; it is not of `agent`, unless that is "".
Result<int> take_up_job(CommandContext& context, const std::string& given,
                        const std::string& agent = "");

/// Continues a job of `ask` that is done with the message `text`, like take_up_job(). Errors: those
/// of take_up_job(), but the job must be done; an empty or too long text.
Result<int> take_up_conversation(CommandContext& context, const std::string& given,
                                 const std::string& text);

/// Resumes the job with the current command line, which must provide all its inputs. Schedules no
/// command line. Errors: those of take_up_job(); the job works in another folder than `root`.
Status take_up_here(CommandContext& context, const std::string& given, const std::string& agent,
                    const std::string& root);

}  // namespace pedro
