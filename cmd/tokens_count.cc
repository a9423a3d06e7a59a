#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "sys/read_parts.h"
#include "text_input.h"
#include "token_source.h"
#include "tokenizer/token_counter.h"
#include "tokens_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxServerInputBytes = 64u << 20;

struct CountOptions {
  TokenSourceOptions source;
  std::vector<std::string> files;
};

struct Count {
  std::size_t tokens = 0;
  bool exact = true;
};

class Counting {
 public:
  Counting(CommandContext& context, TokenSource source, Specials specials)
      : context_(context), source_(std::move(source)), specials_(specials) {}

  int run(const std::vector<std::string>& files) {
    Count total;
    int code = kExitDone;
    for (const std::string& file : files) {
      const Result<Count> count = count_file(file);
      if (!count) {
        code = report_error(count.error(), context_.cancel);
        if (context_.cancel.cancelled()) return code;
        continue;
      }
      total.tokens += count->tokens;
      total.exact = total.exact && count->exact;
      tell(*count, file);
    }
    if (files.size() > 1) tell(total, "total");
    return code;
  }

 private:
  Result<Count> count_file(const std::string& file) {
    if (source_.local == nullptr) {
      PEDRO_TRY(const TextInput input, read_input(context_, file, kMaxServerInputBytes));
      const auto tokens = source_.tokenizer->count(input.text, specials_);
      if (!tokens) return tokens.error().at(input.name);
      return Count{*tokens, source_.tokenizer->is_exact()};
    }
    TokenCounter counter(*source_.local, specials_);
    if (source_.traced != nullptr) {
      counter.on_part([&](std::string_view part, TextPlace where) { trace(file, part, where); });
    }
    PEDRO_RETURN_IF_ERROR(read_parts(file, context_.cancel,
                                     [&](std::string_view part) { return counter.add(part); }));
    const auto tokens = counter.finish();
    if (!tokens) return tokens.error().at(file);
    Count count{*tokens, counter.is_exact() && source_.estimate == nullptr};
    if (source_.estimate != nullptr) count.tokens = source_.estimate->estimate_of(count.tokens);
    return count;
  }

  // Tokenizes again for the trace, because counting creates no ids.
  void trace(const std::string& file, std::string_view part, TextPlace where) const {
    if (part.empty()) return;
    const long long begin = context_.clock.ticks_us();
    const auto ids = source_.local->encode_part(part, specials_, where);
    const long long us = context_.clock.ticks_us() - begin;
    const std::string_view what = file == "-" ? std::string_view("standard input") : file;
    if (ids) source_.traced->tell({part, specials_, what}, *ids, {us});
  }

  void tell(const Count& count, const std::string& name) const {
    if (context_.global.json) {
      print(to_line({{"tokens", count.tokens},
                     {"exact", count.exact},
                     {"name", name},
                     {"by", source_.tokenizer->provider_name()}}) +
            "\n");
      return;
    }
    const std::string shown = name == "-" ? "" : " " + make_printable(name);
    print(fmt::format("{:>7}{}\n", (count.exact ? "" : "\u2248") + std::to_string(count.tokens),
                      shown));
  }

  CommandContext& context_;
  TokenSource source_;
  Specials specials_;
};

Result<int> run(CommandContext& context, const CountOptions& options) {
  PEDRO_TRY(TokenSource source, open_token_source(context, options.source));
  std::vector<std::string_view> names;
  const Specials specials = specials_of(options.source, names);
  return Counting(context, std::move(source), specials).run(options.files);
}

}  // namespace

CommandFunction add_tokens_count(CLI::App& command) {
  auto options = std::make_shared<CountOptions>();
  add_token_source(command, options->source);
  command.add_option("files", options->files, "Files, or - for standard input; of any size")
      ->required();
  return running(run, options);
}

}  // namespace pedro
