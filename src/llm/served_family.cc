#include "llm/served_family.h"

#include <fmt/format.h>

#include "base/text.h"
#include "chat_format/format_tokens.h"
#include "llm/llama_template.h"

namespace pedro {
namespace {

std::string why(const ChosenFormat& chosen, bool named) {
  if (named) return "as requested";
  if (chosen.is_learned) return "from the server's chat template";
  return chosen.likeness == ChosenFormat::Likeness::kAll
             ? "the server's chat template writes the same"
             : "the server's chat template writes the same turns, but different tools";
}

}  // namespace

Result<ServedFamily> find_served_family(LlamaClient& client, Tokenizer& tokenizer,
                                        std::string_view name, std::string_view known) {
  LlamaTemplate served(client);
  const bool named = name != "auto";
  PEDRO_TRY(ChosenFormat chosen,
            choose_format(served, tokenizer, named ? name : std::string_view()));
  if (!named && chosen.likeness == ChosenFormat::Likeness::kNone && !known.empty()) {
    Result<ServedFamily> of_row = find_served_family(client, tokenizer, known);
    if (of_row) of_row->why = "by the model's name: the server's chat template is of no known kind";
    if (of_row || of_row.error().kind == ErrorKind::kInterrupted) return of_row;
  }
  if (!named && chosen.likeness == ChosenFormat::Likeness::kNone) {
    return Error{ErrorKind::kModel,
                 "cannot learn how the server's chat template writes turns; choose a format with "
                 "-format or model.format (`pedrocli format learn` shows the differences)"};
  }
  ServedFamily found;
  found.why = why(chosen, named);
  found.chosen = std::move(chosen);
  const FormatFamily& family = found.chosen.family;
  // Checks requested families only: the tokens of a recognised family exist.
  if (family.name != name) return found;
  PEDRO_TRY(MissingTokens missing, missing_tokens(family, tokenizer));
  if (!missing.control.empty()) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("format {}: the model's vocabulary has no {}: the model is of another family. "
                    "Use -format auto (model.format), or see `pedrocli format list`",
                    family.name, some_of(missing.control))};
  }
  found.spelled_tags = std::move(missing.tags);
  return found;
}

}  // namespace pedro
