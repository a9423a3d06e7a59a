#include <CLI/CLI.hpp>
#include <memory>

#include "agent_flags.h"
#include "command.h"

namespace pedro {
CommandFunction add_ask_command(CLI::App& command) {
  auto options = std::make_shared<ReadOptions>();
  options->agent = "ask";
  command.add_option("question", options->description, "The question")->required();
  command.add_option("--file", options->file,
                     "A file that belongs to the question, or - (default: piped input)");
  command
      .add_option("--logs", options->logs,
                  "A related log: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--schema", options->schema,
                     "Answer with JSON that fits the JSON Schema in this file");
  command.add_option("--after", options->after,
                     "Continue the conversation of this job, which is done");
  add_read_flags(command, *options);
  command.footer(
      "The answer is on stdout, everything else on stderr. Nothing in the project changes.\n"
      "The model reads files where the question needs it; files that the question names are\n"
      "in the first prompt, so that one round may be enough.\n"
      "With -after, the model still has the earlier questions, files and answers, and the server\n"
      "has them in its cache.");
  return [options](CommandContext& context) { return run_read_command(context, *options); };
}

}  // namespace pedro
