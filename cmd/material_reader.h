#pragma once

#include <string>
#include <vector>

#include "agent/material.h"
#include "command.h"
#include "secret_setup.h"
#include "sys/http.h"

namespace pedro {

/// Adds what `place` names: a file, the text files of a folder and those below it, or what an
/// http(s) address answers (at most 2 MiB, in 30 s, in UTF-8 or windows-1252; of a page its text).
/// An address is known by what of it may be read by others: without a user, and where its query may
/// hold a key, without that. A folder has at most 200
/// files and 16 MiB; what of it is no text is named on stderr. Error (kUsage): there is no such
/// thing, or it is no text.
Status add_material(CommandContext& context, const std::string& place, const Secrets& secrets,
                    Http& http, Material& material);

}  // namespace pedro
