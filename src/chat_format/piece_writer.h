#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/chat_request.h"
#include "chat_format/prompt.h"
#include "chat_format/turn_rules.h"

namespace pedro {

/// The content of {{name}} in a piece.
struct PieceField {
  std::string_view name;
  std::string_view value;
};

/// Writes pieces of TurnRules into a prompt. Converts names of control tokens and tags to tokens,
/// and replaces {{name}} by values. Borrows the rules and the request.
class PieceWriter {
 public:
  /// `request` contains the tools, the date and the effort for the pieces.
  PieceWriter(const TurnRules& rules, const ChatRequest& request);

  /// Writes a piece. Requires that all its values are in `fields`, common to all pieces, or made of
  /// pieces themselves ({{guide}}, {{tools}}, {{parameters}}).
  void write(std::string_view piece, std::initializer_list<PieceField> fields = {});

  /// Writes the piece of a call with its values; `index` counts all calls. Arguments that are not a
  /// JSON object give no
  /// {{parameters}}.
  void write_call(const RequestedCall& call, std::size_t index);

  void begin_turn(std::string_view label) { out_.begin_turn(label); }

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
  void expand_parameters();
  void write_tool(const DeclaredTool& tool);
  void write_gemma(const std::vector<std::string>& texts);

  const TurnRules& rules_;
  const ChatRequest& request_;
  Members common_;
  const RequestedCall* call_ = nullptr;  // these three are being written
  const DeclaredTool* tool_ = nullptr;
  std::string_view value_;
  PromptWriter out_;
};

/// Returns the arguments of a call in Python's spelling; "{}" if there are none.
std::string python_arguments(const RequestedCall& call);

}  // namespace pedro
