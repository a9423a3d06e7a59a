#pragma once

#include <string>

#include "command.h"

namespace pedro {

/// Makes the stopped job that the user named (see choose_job) the one that is gone on with: this
/// process changes into the folder it was begun in, and its command line is run next, under what
/// was given now; the paths in that are of the folder before. Errors: there is no such job, it is
/// done, somebody is at work on it, it kept no answers, another version began it, its folder is
/// gone; it is not one of `agent`, unless that is "".
Result<int> take_up_job(CommandContext& context, const std::string& given,
                        const std::string& agent = "");

/// Makes it the one that is gone on with by the command line of now, which gives it all that it was
/// given: nothing is run next. Errors: those of above; it works in another folder than `root`.
Status take_up_here(CommandContext& context, const std::string& given, const std::string& agent,
                    const std::string& root);

}  // namespace pedro
