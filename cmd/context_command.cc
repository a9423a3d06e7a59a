#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "agent/context_history.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "context/importance.h"
#include "context/window.h"
#include "context_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownBytes = 300;

struct ContextOptions {
  std::string job;
  std::string strategies;  ///< "": as configured
  MessageId message = 0;
  long long context_tokens = 0;
};

Result<ContextHistory> history_of(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, given));
  PEDRO_RETURN_IF_ERROR(store.require(id));
  Result<ContextHistory> history = ContextHistory::read(context.files, store.journal_path(id));
  if (history && history->steps().empty()) {
    return usage_error(id + ": its journal does not record the conversation");
  }
  return history;
}

/// The context settings of a job and the limit of its replies.
struct Plan {
  ContextSettings settings;
  long long max_tokens = 0;
  bool may_move_cache = true;

  Budget budget(long long context_tokens) const {
    return {context_tokens, reply_tokens_of(max_tokens, context_tokens), settings.reserve_tokens,
            settings.high_water, settings.low_water};
  }
};

Result<Plan> plan_of(CommandContext& context) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  PEDRO_TRY(auto settings, context_settings(config));
  return Plan{std::move(settings), config.config.model.max_tokens,
              config.config.context.shift_cache == "auto"};
}

std::string kinds_of(std::span<const ContextPart> parts) {
  std::vector<std::string> kinds;
  for (const ContextPart& part : parts) {
    if (part.kind == PartKind::kNote && part.bytes == 0) continue;
    std::string kind(to_string(part.kind));
    if (part.facts) kind += " of " + part.facts->call;
    if (part.cleared) kind += " (cleared, kept as " + part.kept_as + ")";
    kinds.push_back(std::move(kind));
  }
  return make_printable(join(kinds, ", "));  // paths and patterns come from the model
}

Result<int> run_show(CommandContext& context, const ContextOptions& options) {
  PEDRO_TRY(const auto history, history_of(context, options.job));
  PEDRO_TRY(const auto plan, plan_of(context));
  const Ledger& ledger = history.now();
  const Budget budget = plan.budget(history.window_tokens());
  const std::vector<Pin> pins = find_pins(ledger, budget);
  const std::vector<double> scores = score_exchanges(ledger, plan.settings.rules.weights);
  std::string text = fmt::format(
      "{}{} of {} tokens\n\n{:>5} {:>7} {:>6} {:<8} {}\n", ledger.exact() ? "" : kAbout,
      ledger.total(), history.window_tokens(), "id", "tokens", "score", "pinned", "what");
  Json rows = Json::array();
  for (std::size_t i = 0; i < ledger.exchanges().size(); ++i) {
    const Exchange& exchange = ledger.exchanges()[i];
    long long around = exchange.tokens;
    for (const ContextPart& part : ledger.parts(exchange.first, exchange.end)) {
      around -= part.tokens;
    }
    for (std::size_t m = exchange.first; m < exchange.end; ++m) {
      const ContextMessage& message = ledger.messages()[m];
      long long tokens = m == exchange.first ? around : 0;  // overhead around messages
      for (const ContextPart& part : ledger.parts(m)) tokens += part.tokens;
      tokens = std::max(0LL, tokens);  // a server may count a prompt in two ways
      const std::string what = kinds_of(ledger.parts(m));
      text += fmt::format("{:>5} {:>7} {:>6.2f} {:<8} {}\n", message.id, tokens, scores[i],
                          to_string(pins[i]), what);
      rows.push_back({{"id", message.id},
                      {"role", to_string(message.role)},
                      {"what", what},
                      {"tokens", tokens},
                      {"score", scores[i]},
                      {"pinned", to_string(pins[i])}});
    }
  }
  const Json json = {{"tokens", ledger.total()},
                     {"estimated", !ledger.exact()},
                     {"window_tokens", history.window_tokens()},
                     {"messages", std::move(rows)}};
  print(context.global.json ? to_line(json) + "\n" : text);
  return kExitDone;
}

Result<int> run_explain(CommandContext& context, const ContextOptions& options) {
  PEDRO_TRY(const auto history, history_of(context, options.job));
  if (options.message == 0 || options.message > history.now().last_id()) {
    return usage_error(
        fmt::format("no message {}; expected 1 to {}", options.message, history.now().last_id()));
  }
  const Json why = history.why_gone(options.message);
  const auto shown = [&why](std::string_view key) {
    return make_printable(truncate_utf8(text_of(why, key), kMaxShownBytes));
  };
  if (context.global.json) {
    print_json(why);
  } else if (why.is_null()) {
    print(fmt::format("message {} is in the conversation, unchanged\n", options.message));
  } else if (truth_of(why, "cleared")) {
    print(
        fmt::format("message {}: the result of {} was cleared before request {}, which saved {} "
                    "tokens; it is kept as {}\n",
                    options.message, shown("what"), number_of(why, "round"),
                    number_of(why, "tokens"), shown("kept_as")));
  } else {
    print(fmt::format(
        "message {} was removed before request {}, with messages {} to {} ({}): strategy {}, score "
        "{:.3g}, {} tokens{}\n",
        options.message, number_of(why, "round"), number_of(why, "first"), number_of(why, "last"),
        shown("what"), shown("why"), real_of(why, "score"), number_of(why, "tokens"),
        shown("kept_as").empty() ? "" : "; it is kept as " + shown("kept_as")));
  }
  return kExitDone;
}

Result<int> run_simulate(CommandContext& context, const ContextOptions& options) {
  PEDRO_TRY(const auto history, history_of(context, options.job));
  PEDRO_TRY(auto plan, plan_of(context));
  const long long window =
      options.context_tokens > 0 ? options.context_tokens : history.window_tokens();
  const Budget budget = plan.budget(window);
  CompactionRules& rules = plan.settings.rules;
  if (!options.strategies.empty()) {
    auto strategies = read_strategies(options.strategies);
    if (!strategies) return usage_error("-strategies: " + strategies.error().message);
    rules.strategies = *std::move(strategies);
  }
  plan.settings = suited_to(std::move(plan.settings), plan.may_move_cache && history.moves_cache());
  rules.note_tokens = note_tokens(plan.settings, budget);
  const ContextForecast seen = forecast(history, budget, rules);
  Json cuts = Json::array();
  std::string text = fmt::format("window {}: {} requests, {} compactions\n", window,
                                 history.steps().size(), seen.cuts.size());
  for (const ContextForecast::Cut& cut : seen.cuts) {
    cuts.push_back({{"request", cut.request},
                    {"before", cut.before},
                    {"after", cut.after},
                    {"cleared", cut.cleared},
                    {"removed", cut.removed}});
    text += fmt::format("  request {}: {} -> {} tokens, {} results cleared, {} exchanges removed\n",
                        cut.request, cut.before, cut.after, cut.cleared, cut.removed);
  }
  text += fmt::format(
      "{} tokens added, {} evaluated: {:.2f} times\n", seen.entered, seen.evaluated,
      static_cast<double>(seen.evaluated) / static_cast<double>(std::max(1LL, seen.entered)));
  if (!seen.failed.empty()) text += "the job would have failed there: " + seen.failed + "\n";
  const Json json = {{"window", window},
                     {"requests", history.steps().size()},
                     {"cuts", cuts},
                     {"entered_tokens", seen.entered},
                     {"evaluated_tokens", seen.evaluated},
                     {"failed", seen.failed}};
  print(context.global.json ? to_line(json) + "\n" : text);
  return kExitDone;
}

std::shared_ptr<ContextOptions> with_job(CLI::App& command) {
  auto options = std::make_shared<ContextOptions>();
  command.add_option("job", options->job, "The job's id (default: the newest)");
  return options;
}

CommandFunction add_show(CLI::App& command) {
  return running(run_show, with_job(command));
}

CommandFunction add_explain(CLI::App& command) {
  auto options = with_job(command);
  command.add_option("--at", options->message, "The message's id, from `show`")->required();
  return running(run_explain, options);
}

CommandFunction add_simulate(CLI::App& command) {
  auto options = with_job(command);
  command.add_option("--ctx", options->context_tokens, "Another window size, in tokens")
      ->check(CLI::Range(256, 16777216));
  command
      .add_option("--strategies", options->strategies,
                  "Other strategies, in order: \"middle oldest\"")
      ->type_name("NAMES");
  return running(run_simulate, options);
}

}  // namespace

CommandFunction add_context_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"show", "Show what is in a job's conversation, message by message", add_show},
      {"explain", "Explain why a message was removed", add_explain},
      {"simulate", "Replay a job with another window or other settings", add_simulate},
  };
  return add_commands_below(command, kCommands);
}

}  // namespace pedro
