#include "eval_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "eval/attempt_record.h"
#include "eval/attempt_summary.h"
#include "eval/eval_record.h"
#include "eval/eval_summary.h"

namespace pedro {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
};

struct RecordText {
  std::string place;
  std::string text;
};

Result<RecordText> read(const CommandContext& context, const std::string& path) {
  Result<std::string> text = context.files.read(path, kMaxEvalBytes);
  if (!text) return usage_error(text.error().message);
  return RecordText{path, *std::move(text)};
}

Result<std::vector<EvalSummary>> summaries_of(const RecordText& given) {
  PEDRO_TRY(const EvalRecord record, read_eval_record(given.place, given.text));
  return summarize(record);
}

const char* verdict_of(const Interval& likely) {
  return likely.low > 0 ? "better" : likely.high < 0 ? "worse" : "noise";
}

void print_lines(const std::string& text) {
  for (const std::string_view line : split_lines(text)) print(make_printable(line) + "\n");
}

void show(const GlobalOptions& global, const EvalSummary& before, const EvalSummary& after,
          const Interval& likely) {
  if (global.json) {
    print_json({{"configuration", after.configuration},
                {"before", before.valid.value()},
                {"after", after.valid.value()},
                {"low", likely.low},
                {"high", likely.high},
                {"tokens", {before.tokens, after.tokens}},
                {"ms", {before.ms, after.ms}},
                {"verdict", verdict_of(likely)}});
    return;
  }
  print(make_printable(fmt::format(
      "{:<26} {:>5.1f}% -> {:>5.1f}%  {:+6.1f} to {:+6.1f} points  {:<6}  tokens {:.0f} -> {:.0f}, "
      "ms {:.0f} -> {:.0f}\n",
      after.configuration, 100 * before.valid.value(), 100 * after.valid.value(), 100 * likely.low,
      100 * likely.high, verdict_of(likely), before.tokens, after.tokens, before.ms, after.ms)));
}

int code_of(const Interval& likely) {
  return likely.high < 0 ? kExitNo : likely.low > 0 ? kExitDone : kExitNoise;
}

Result<int> compare_tasks(const GlobalOptions& global, const RecordText& first,
                          const RecordText& second) {
  PEDRO_TRY(const auto before, read_attempt_record(first.place, first.text));
  PEDRO_TRY(const auto after, read_attempt_record(second.place, second.text));
  const AttemptDiff diff = compare(before, after);
  if (diff.solved.all() == 0) {
    return usage_error("the two records have no task and run in common");
  }
  if (before.header.tasks != after.header.tasks) {
    print_note(global, "the records are of different task sets; only common tasks are compared");
  }
  const Interval likely = difference(diff.solved);
  if (global.json) {
    print_json(to_json(diff, verdict_of(likely)));
  } else {
    print_lines(fmt::format("{} -> {}\n", before.header.name(), after.header.name()) +
                to_text(diff, verdict_of(likely)));
  }
  return code_of(likely);
}

Result<int> compare_toolcalls(const CommandContext& context, const RecordText& first,
                              const RecordText& second) {
  PEDRO_TRY(const auto before, summaries_of(first));
  PEDRO_TRY(const auto after, summaries_of(second));
  bool better = false;
  bool worse = false;
  int shared = 0;
  for (const EvalSummary& now : after) {
    const auto then = std::find_if(before.begin(), before.end(), [&](const EvalSummary& other) {
      return other.configuration == now.configuration;
    });
    if (then == before.end()) continue;
    ++shared;
    const Interval likely = difference(then->valid, now.valid);
    better = better || likely.low > 0;
    worse = worse || likely.high < 0;
    show(context.global, *then, now, likely);
  }
  if (shared == 0) {
    return usage_error("the two records have no configuration in common");
  }
  return worse ? kExitNo : better ? kExitDone : kExitNoise;
}

Result<int> run(CommandContext& context, const DiffOptions& options) {
  PEDRO_TRY(const RecordText before, read(context, options.before));
  PEDRO_TRY(const RecordText after, read(context, options.after));
  const bool tasks = is_attempt_record(before.text);
  if (tasks != is_attempt_record(after.text)) {
    return usage_error(
        "one record is of `eval tasks`, the other is not; compare two of the same kind");
  }
  return tasks ? compare_tasks(context.global, before, after)
               : compare_toolcalls(context, before, after);
}

CommandFunction add_eval_diff(CLI::App& command) {
  auto options = std::make_shared<DiffOptions>();
  command.add_option("before", options->before, "A record of `eval toolcalls` or `eval tasks`")
      ->required();
  command.add_option("after", options->after, "Another record of the same command")->required();
  return running(run, options);
}

}  // namespace

CommandFunction add_eval_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"toolcalls", "Measure how well the model calls tools in several configurations",
       add_eval_toolcalls},
      {"tasks", "Measure how many tasks an agent or the model alone solves", add_eval_tasks},
      {"diff", "Compare two records: better, worse, or noise", add_eval_diff},
  };
  return add_commands_below(command, kCommands,
                            "`eval diff` exits with 0 for better, 1 for worse, 2 for noise.\n");
}

}  // namespace pedro
