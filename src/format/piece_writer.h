#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/chat_request.h"
#include "format/prompt.h"
#include "format/turn_rules.h"

namespace pedro {

/// What stands for {{name}} in a piece; all of it is content.
struct PieceField {
  std::string_view name;
  std::string_view value;
};

/// Writes pieces of TurnRules into a prompt: names of control tokens and tags become these, values
/// are put in. Borrows the rules and the request.
class PieceWriter {
 public:
  /// `request` has the tools, the date and the effort that pieces may name.
  PieceWriter(const TurnRules& rules, const ChatRequest& request);

  /// Requires `piece` to have no other values than `fields`, those of every piece, and those made
  /// of pieces themselves ({{guide}}, {{tools}}, {{parameters}}).
  void write(std::string_view piece, std::initializer_list<PieceField> fields = {});

  /// The piece of a call, with its values. Arguments that are no JSON object have no
  /// {{parameters}}.
  void write_call(const RequestedCall& call);

  Prompt take() && { return std::move(out_).take(); }

 private:
  struct Mark {
    enum class Kind : std::uint8_t { kNone, kControl, kTag, kValue };
    std::size_t begin = 0;
    std::size_t end = 0;
    Kind kind = Kind::kNone;
  };
  using Members = std::vector<std::pair<std::string, std::string>>;

  std::vector<Mark> first_marks(std::string_view piece) const;
  static Mark next_mark(std::string_view piece, std::size_t at, std::vector<Mark>& marks);
  void put(std::string_view name, std::initializer_list<PieceField> fields);
  void expand(std::string_view name);
  void write_tool(const DeclaredTool& tool);

  const TurnRules& rules_;
  const ChatRequest& request_;
  Members common_;
  const RequestedCall* call_ = nullptr;  // that is being written
  PromptWriter out_;
};

/// The arguments of a call as Python writes them: "{}" where there are none.
std::string python_arguments(const RequestedCall& call);

}  // namespace pedro
