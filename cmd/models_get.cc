// `models get`: downloads small models. The program contains the script of the source tree for it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/embedded_file.h"
#include "base/text.h"
#include "models_command.h"
#include "sys/scratch_folder.h"
#include "sys/terminal_program.h"
#include "vocabulary_setup.h"

namespace pedro {

extern const EmbeddedFile kFetchScripts[];
extern const std::size_t kFetchScriptsCount;

namespace {

constexpr const char* kTable = "weights.txt";
constexpr const char* kScript = "fetch-weights";
constexpr long long kBytesPerMegabyte = 1'000'000;

/// Published weights that the script knows.
struct Weights {
  std::string name;
  std::string file;
  long long bytes = 0;
};

std::string_view embedded(std::string_view path) {
  for (std::size_t i = 0; i < kFetchScriptsCount; ++i) {
    if (kFetchScripts[i].path == path) return kFetchScripts[i].bytes;
  }
  return {};
}

// Reads the rows "= NAME FILE BYTES SHA256".
std::vector<Weights> known_weights() {
  std::vector<Weights> all;
  for (const std::string_view line : split_lines(embedded(kTable))) {
    if (!line.starts_with("= ")) continue;
    const auto words = split(line, ' ');
    if (words.size() < 4) continue;
    all.push_back({std::string(words[1]), std::string(words[2]),
                   number_from<long long>(words[3]).value_or(0)});
  }
  return all;
}

Result<int> list_weights(CommandContext& context) {
  const std::string folder = join_path(cache_folder(context), "models");
  for (const Weights& one : known_weights()) {
    const bool is_here = context.files.info(join_path(folder, one.file)).kind == FileKind::kFile;
    if (context.global.json) {
      print(to_line({{"name", one.name},
                     {"file", one.file},
                     {"bytes", one.bytes},
                     {"in_cache", is_here}}) +
            "\n");
    } else {
      print(fmt::format("{:<20} {:>6} MB  {}\n", one.name, one.bytes / kBytesPerMegabyte,
                        is_here ? "in the cache" : "pedrocli models get " + one.name));
    }
  }
  return static_cast<int>(kExitDone);
}

Result<int> get_weights(CommandContext& context, const std::string& name) {
  const std::vector<Weights> all = known_weights();
  const auto known = std::ranges::find(all, name, &Weights::name);
  if (known == all.end()) {
    std::vector<std::string> names;
    for (const Weights& one : all) names.push_back(one.name);
    return usage_error(
        fmt::format("there are no weights '{}'{}; there are: {}; other models: "
                    "pedrocli serve -hf OWNER/REPO",
                    name, did_you_mean(name, names), join(names, ", ")));
  }
  PEDRO_TRY(const ScratchFolder scratch, ScratchFolder::make(context.environment.get("TMPDIR")));
  for (std::size_t i = 0; i < kFetchScriptsCount; ++i) {
    const std::string path = join_path(scratch.path(), std::string(kFetchScripts[i].path));
    PEDRO_RETURN_IF_ERROR(context.files.write_atomic(path, kFetchScripts[i].bytes, 0600));
  }
  // The script prints its progress on stderr. It installs nothing.
  PEDRO_TRY(const int code, run_terminal_program({"env", "PEDROCLI_NO_INSTALL=1", "bash", "-c",
                                                  "bash \"$0\" \"$1\" >/dev/null",
                                                  join_path(scratch.path(), kScript), name}));
  if (code != 0) {
    return Error{ErrorKind::kModel, fmt::format("cannot download {}; the reason is above", name)};
  }
  const std::string path = join_path(join_path(cache_folder(context), "models"), known->file);
  print(context.global.json ? to_line({{"name", name}, {"path", path}}) + "\n" : path + "\n");
  print_note(context.global, "start it with: pedrocli serve " + name);
  return static_cast<int>(kExitDone);
}

}  // namespace

CommandFunction add_models_get(CLI::App& command) {
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "The weights; without it, lists them");
  command.footer("Needs bash, python3 and pip. docs/eval.md names the licences.");
  return [name](CommandContext& context) {
    const Result<int> code = name->empty() ? list_weights(context) : get_weights(context, *name);
    return exit_code(code, context.cancel);
  };
}

}  // namespace pedro
