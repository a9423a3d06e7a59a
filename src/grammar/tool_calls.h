#pragma once

#include <cstddef>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "grammar/schema_to_gbnf.h"

namespace pedro {

/// One thing that a reply may call.
struct CallBranch {
  std::string tool;
  std::string action;  ///< names the rules; empty where the tool has just one
  /// Of the whole `args` object. An `action` property, if there is one, is in it (as a constant,
  /// and first, so that the branches of a tool part as early as possible).
  const Schema* args = nullptr;  ///< borrowed; never null
};

/// What stands around a call: `open` TOOL `middle` ARGS `close`, to the letter. Well-formed UTF-8.
struct CallWrapping {
  std::string open = "{\"tool\": ";
  bool quoted_name = true;  ///< the tool's name as a JSON string, or as it is
  std::string middle = ", \"args\": ";
  std::string close = "}";
};

/// What a reply may be.
enum class ReplyForm {
  kCall,        ///< exactly one call
  kTextOrCall,  ///< free text, in which `open` does not stand, that may end in a call
};

/// The grammar of a reply with a call of one of the branches. Each tool's name stands
/// there once, in the order of its first branch, with an alternative per branch behind it; what
/// the branches begin with is written once. No branches: a grammar that matches nothing.
/// Where the grammar allows more than a schema, it is appended to `loosened`, with
/// "tool.action: " before the pointer. Same input, same bytes.
Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                       std::vector<Loosened>* loosened = nullptr,
                       ReplyForm form = ReplyForm::kCall);

/// The texts of such grammars, made when first asked for. A grammar is known by what it is made
/// from: names, the schemas' fingerprints, wrapping and form. Keeps the last kMaxKept. One thread.
class CallGrammars {
 public:
  static constexpr std::size_t kMaxKept = 32;

  /// Valid until kMaxKept others were asked for.
  const std::string& text(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                          ReplyForm form = ReplyForm::kCall);

 private:
  struct Kept {
    std::string key;
    std::string text;
  };
  std::list<Kept> kept_;  // the newest first
};

}  // namespace pedro
