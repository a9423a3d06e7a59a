#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/tool.h"

namespace pedro {

enum class PatternKind { kRegex, kLiteral, kLiteralWord };
enum class LetterCase { kExact, kIgnored };

struct TextQuery {
  std::string pattern;  ///< one line; ripgrep's or POSIX extended syntax
  PatternKind kind = PatternKind::kRegex;
  LetterCase letters = LetterCase::kExact;
};

struct TextMatch {
  std::string path;        ///< relative to the root
  std::size_t line = 0;    ///< from 1
  std::size_t column = 0;  ///< first match in the line, in bytes from 1
  std::string text;        ///< the line without its line end
};

struct TextMatches {
  std::vector<TextMatch> matches;  ///< sorted by path, then line
  bool complete = true;            ///< false if the output exceeded a limit
};

/// Searches a pattern in folders (without ignored files) or in files (even if ignored). All `paths`
/// must be of one kind, relative to the root. Uses ripgrep if installed, else `git grep`. Skips
/// binary files. A pattern is never parsed as an option. Errors: kRefused (for the model) for an
/// invalid pattern or a search that took too long; kInterrupted.
Result<TextMatches> search_text(ToolContext& context, const TextQuery& query,
                                const std::vector<std::string>& paths);

/// Formats lines "PATH:LINE: text", with each text truncated to 240 bytes around its match. After
/// `max_results` lines, a note counts the rest; `how` describes a way to narrow the search.
std::string format_matches(const TextMatches& found, std::size_t max_results, std::string_view how);

}  // namespace pedro
