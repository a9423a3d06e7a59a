#pragma once

#include <string>

#include "command.h"
#include "options.h"

namespace pedro {

/// Runs the agent `blog` with a user's command, whose text is the notes for the post.
Result<int> write_post_from(CommandContext& context, const ReadOptions& options, std::string notes);

}  // namespace pedro
