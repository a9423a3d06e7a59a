#include "ask_model.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "llm/model_list.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr std::size_t kMostModels = 40;
constexpr std::size_t kMaxShownNameBytes = 100;

// Returns the model of a number or an id; null for any other text.
const ListedModel* model_of_answer(const std::vector<ListedModel>& models, std::string_view text) {
  const std::size_t number = number_from<std::size_t>(text).value_or(0);
  if (number >= 1 && number <= models.size()) return &models[number - 1];
  for (const ListedModel& model : models) {
    if (model.id == text) return &model;
  }
  return nullptr;
}

Result<std::string> ask_for(const std::vector<ListedModel>& models, const CancelToken& cancel) {
  print_error("The server has several models:");
  for (std::size_t i = 0; i < models.size() && i < kMostModels; ++i) {
    const std::string name = std::string(truncate_utf8(models[i].id, kMaxShownNameBytes));
    const std::string state = state_text(models[i]);
    print_error(fmt::format("  {:>2}  {}{}", i + 1, name, state.empty() ? "" : ": " + state));
  }
  for (;;) {
    print_error("Which one? Type its number or name, or only Enter for none:");
    PEDRO_TRY(const std::string line, read_line(cancel));
    const std::string_view answer = trim(line);
    if (answer.empty()) return std::string();
    if (const ListedModel* model = model_of_answer(models, answer)) return model->id;
  }
}

}  // namespace

decltype(ServerOptions::ask_model) ask_model_on_terminal(CommandContext& context) {
  if (!is_terminal(StandardStream::kIn) || !is_terminal(StandardStream::kError)) return {};
  return [&context](const std::vector<ListedModel>& models) -> Result<std::string> {
    std::string& chosen = context.global.model;
    if (chosen.empty()) {
      PEDRO_TRY(std::string answer, ask_for(models, context.cancel));
      chosen = std::move(answer);
    }
    return chosen;
  };
}

}  // namespace pedro
