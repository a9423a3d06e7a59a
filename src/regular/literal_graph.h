#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gbnf/grammar_builder.h"
#include "regular/text_set_to_gbnf.h"

namespace pedro {

/// A set of texts, stored as the paths through a graph of literals. Designed for sets that are too
/// large for a TextSet, like a project's paths or a file's runs of lines.
///
///     const LiteralGraph paths = literal_trie(sorted_paths);
///     contains(paths, "src/main.cc");  // true if it is one of them
struct LiteralGraph {
  struct Node {
    std::string text;                 ///< well-formed UTF-8; empty only in node 0
    std::vector<std::uint32_t> next;  ///< nodes that may follow
    bool ends = false;                ///< a text may end after this node
    bool takes_name = false;          ///< a new file name may follow and ends the text
  };
  std::vector<Node> nodes;        ///< every text begins at node 0
  std::uint64_t fingerprint = 0;  ///< identifies the set of texts
};

/// The longest file name that `takes_name` allows, in characters.
inline constexpr int kMaxNewName = 100;

/// Contains exactly these texts. Requires sorted, distinct, non-empty, well-formed texts. O(bytes).
LiteralGraph literal_trie(std::span<const std::string> texts);

/// Contains all names in these folders, and in one new folder in each. "." is the root. Requires
/// the same as literal_trie().
LiteralGraph names_in(std::span<const std::string> folders);

/// The minimum length of the runs in line_runs().
enum class RunKind {
  kUnique,  ///< runs that occur once in the text, or have 8 lines
  kAny,     ///< runs of one line
};

/// Contains every run of whole lines of a text, joined by "\n". Omits runs that begin with a blank
/// line or are shorter than `kind` requires. O(bytes).
LiteralGraph line_runs(std::string_view text, RunKind kind);

/// Returns true if `text` is in the set. O(bytes x simultaneously open nodes).
bool contains(const LiteralGraph& graph, std::string_view text);

/// Adds a rule for the texts; with kJsonString it includes the quotes. O(bytes of the graph).
Expr add_literal_graph(GrammarBuilder& grammar, const LiteralGraph& graph, TextEncoding form,
                       std::string_view name);

}  // namespace pedro
