#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "text_input.h"
#include "token_source.h"
#include "tokens_command.h"

namespace pedro {
namespace {

struct DecodeOptions {
  TokenSourceOptions source;
  std::string file;
};

bool is_separator(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == '[' || c == ']';
}

// Reads ids, separated by blanks or as a JSON array.
Result<std::vector<TokenId>> read_ids(const TextInput& input) {
  std::vector<TokenId> ids;
  const char* at = input.text.data();
  const char* const end = at + input.text.size();
  while (at != end) {
    if (is_separator(*at)) {
      ++at;
      continue;
    }
    TokenId id = 0;
    const auto [behind, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (behind != end && !is_separator(*behind))) {
      return Error{ErrorKind::kUsage, fmt::format("{}: byte {}: expected a token id", input.name,
                                                  at - input.text.data())};
    }
    ids.push_back(id);
    at = behind;
  }
  return ids;
}

Result<int> run(CommandContext& context, const DecodeOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxTokenInputBytes));
  PEDRO_TRY(const auto ids, read_ids(input));
  PEDRO_TRY(const auto text, source.tokenizer->decode(ids));
  note_estimate(context, source);
  print(text);
  return kExitDone;
}

}  // namespace

CommandFunction add_tokens_decode(CLI::App& command) {
  auto options = std::make_shared<DecodeOptions>();
  add_token_source(command, options->source);
  command
      .add_option("file", options->file,
                  "Ids separated by blanks or commas: a file, or - for standard input")
      ->required();
  command.footer("Prints the tokens' bytes, and nothing after them.\n");
  return running(run, options);
}

}  // namespace pedro
