#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>

#include "base/json.h"
#include "text_input.h"
#include "token_source.h"
#include "tokens_command.h"

namespace pedro {
namespace {

struct EncodeOptions {
  TokenSourceOptions source;
  std::string file;
};

Result<int> run(CommandContext& context, const EncodeOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxTokenInputBytes));
  std::vector<std::string_view> names;
  const auto ids = source.tokenizer->encode(input.text, specials_of(options.source, names));
  if (!ids) return ids.error().at(input.name);
  note_estimate(context, source);
  if (context.global.json) {
    print(to_line(*ids) + "\n");
    return kExitDone;
  }
  std::string out;
  for (const TokenId id : *ids) {
    if (!out.empty()) out += ' ';
    fmt::format_to(std::back_inserter(out), "{}", id);
  }
  print(out + "\n");
  return kExitDone;
}

}  // namespace

CommandFunction add_tokens_encode(CLI::App& command) {
  auto options = std::make_shared<EncodeOptions>();
  add_token_source(command, options->source);
  command.add_option("file", options->file, "A file, or - for standard input; up to 256 MiB")
      ->required();
  return running(run, options);
}

}  // namespace pedro
