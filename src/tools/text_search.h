#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/tool.h"

namespace pedro {

enum class PatternKind { kRegex, kLiteral, kLiteralWord };
enum class LetterCase { kExact, kIgnored };

struct TextQuery {
  std::string pattern;  ///< one line; ripgrep's regular expressions, or POSIX extended ones
  PatternKind kind = PatternKind::kRegex;
  LetterCase letters = LetterCase::kExact;
};

struct TextMatch {
  std::string path;        ///< as the model sees it
  std::size_t line = 0;    ///< from 1
  std::size_t column = 0;  ///< of the first match in the line, in bytes from 1
  std::string text;        ///< the line without its end
};

struct TextMatches {
  std::vector<TextMatch> matches;  ///< by path, then line
  bool complete = true;            ///< false where the output was too long to keep
};

/// Looks for a pattern in folders (what is ignored is left out) or in files (ignored or not), all
/// `paths` of one kind and given as the model sees them. ripgrep does it where it is installed,
/// else `git grep`. Binary files are left out. A pattern is never taken for an option. Error:
/// kRefused, in words for the model, for a bad pattern or a search that took too long;
/// kInterrupted.
Result<TextMatches> search_text(ToolContext& context, const TextQuery& query,
                                const std::vector<std::string>& paths);

/// Lines "PATH:LINE: text", each text cut to 240 bytes around its match; after `max_results` of
/// them a note counts the rest and says `how` to get it.
std::string format_matches(const TextMatches& found, std::size_t max_results, std::string_view how);

}  // namespace pedro
