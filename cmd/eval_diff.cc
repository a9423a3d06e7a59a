#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "eval/eval_record.h"
#include "eval/eval_summary.h"
#include "eval_command.h"

namespace pedro {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
};

Result<std::vector<EvalSummary>> read(const CommandContext& context, const std::string& path) {
  const Result<std::string> text = context.files.read(path, kMaxEvalBytes);
  if (!text) return Error{ErrorKind::kUsage, text.error().message};
  const Result<EvalRecord> record = read_eval_record(path, *text);
  if (!record) return record.error();
  return summarize(*record);
}

const char* verdict_of(const Interval& likely) {
  return likely.low > 0 ? "better" : likely.high < 0 ? "worse" : "noise";
}

void show(const GlobalOptions& global, const EvalSummary& before, const EvalSummary& after,
          const Interval& likely) {
  if (global.json) {
    print(to_line({{"configuration", after.configuration},
                   {"before", before.valid.value()},
                   {"after", after.valid.value()},
                   {"low", likely.low},
                   {"high", likely.high},
                   {"tokens", {before.tokens, after.tokens}},
                   {"ms", {before.ms, after.ms}},
                   {"verdict", verdict_of(likely)}}) +
          "\n");
    return;
  }
  print(make_printable(fmt::format(
      "{:<26} {:>5.1f}% -> {:>5.1f}%  {:+6.1f} to {:+6.1f} points  {:<6}  tokens {:.0f} -> {:.0f}, "
      "ms {:.0f} -> {:.0f}\n",
      after.configuration, 100 * before.valid.value(), 100 * after.valid.value(), 100 * likely.low,
      100 * likely.high, verdict_of(likely), before.tokens, after.tokens, before.ms, after.ms)));
}

Result<int> run(const CommandContext& context, const DiffOptions& options) {
  const auto before = read(context, options.before);
  if (!before) return before.error();
  const auto after = read(context, options.after);
  if (!after) return after.error();
  bool better = false;
  bool worse = false;
  int shared = 0;
  for (const EvalSummary& now : *after) {
    const auto then = std::find_if(before->begin(), before->end(), [&](const EvalSummary& other) {
      return other.configuration == now.configuration;
    });
    if (then == before->end()) continue;
    ++shared;
    const Interval likely = difference(then->valid, now.valid);
    better = better || likely.low > 0;
    worse = worse || likely.high < 0;
    show(context.global, *then, now, likely);
  }
  if (shared == 0) {
    return Error{ErrorKind::kUsage, "the two records have no configuration in common"};
  }
  return worse ? kExitNo : better ? kExitDone : kExitNoise;
}

}  // namespace

CommandFunction add_eval_diff(CLI::App& command) {
  auto options = std::make_shared<DiffOptions>();
  command.add_option("before", options->before, "A record of `eval toolcalls`")->required();
  command.add_option("after", options->after, "Another one")->required();
  return [options](CommandContext& context) {
    return exit_code(run(context, *options), context.cancel);
  };
}

}  // namespace pedro
