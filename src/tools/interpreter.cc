#include "tools/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "tools/starting_options.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Argv = std::span<const ShellWord>;

// A program that runs code as `NAME OPTION CODE`, or from its input if no file is given.
struct Interpreter {
  std::string_view name;                        // a version may follow: "python3.11"
  std::string_view letters;                     // of options with code, or that make it interactive
  std::string_view valued = {};                 // of options whose value is the next word
  std::string_view attached = {};               // of options whose value is in the same word
  std::string_view only_speaks = {};            // arguments that only print information
  std::string_view long_code = "|eval|print|";  // prefixes of long options with code
  std::string_view passed = {};                 // a subcommand before the file
};
// clang-format off
constexpr Interpreter kInterpreters[] = {
    {.name = "python", .letters = "ci", .valued = "WXQ", .only_speaks = "|-V|--version|-h|--help|"},
    {.name = "ipython", .letters = "ci", .only_speaks = "|--version|"},
    {.name = "bpython", .letters = "ci"},
    {.name = "ptpython", .letters = "ci"},
    {.name = "pypy", .letters = "ci", .valued = "WX", .only_speaks = "|-V|--version|-h|--help|"},
    {.name = "perl", .letters = "eEd", .valued = "I", .attached = "iFxMm",
     .only_speaks = "|-v|-V|--version|-h|--help|"},
    {.name = "ruby", .letters = "e", .valued = "rIEC", .attached = "iFx",
     .only_speaks = "|-v|--version|-h|--help|"},
    {.name = "node", .letters = "epi", .valued = "rC",
     .only_speaks = "|-v|--version|-h|--help|--test|"},
    {.name = "nodejs", .letters = "epi", .valued = "rC", .only_speaks = "|-v|--version|--test|"},
    {.name = "deno", .letters = "", .only_speaks = "|-V|--version|-h|--help|", .passed = "run"},
    {.name = "bun", .letters = "ep", .valued = "r", .only_speaks = "|-v|--version|-h|--help|",
     .passed = "run"},
    {.name = "php", .letters = "rBREa", .valued = "dc",
     .only_speaks = "|-v|--version|-h|--help|-m|-i|", .long_code = "|run|process-|interactive|"},
    {.name = "lua", .letters = "ei", .valued = "l", .only_speaks = "|-v|"},
    {.name = "luajit", .letters = "ei", .valued = "l", .only_speaks = "|-v|"},
    {.name = "ocaml", .letters = "e", .valued = "I", .only_speaks = "|-version|-vnum|--version|"},
    {.name = "racket", .letters = "eip", .valued = "lr", .only_speaks = "|-v|--version|"},
    {.name = "elixir", .letters = "e", .valued = "rS", .only_speaks = "|-v|--version|"},
    {.name = "groovy", .letters = "e", .only_speaks = "|-v|--version|"},
    {.name = "scala", .letters = "e", .only_speaks = "|-version|--version|"},
    {.name = "swift", .letters = "e", .only_speaks = "|--version|"},
    {.name = "runghc", .letters = "e", .only_speaks = "|--version|"},
    {.name = "runhaskell", .letters = "e", .only_speaks = "|--version|"},
};
// clang-format on
// Python modules that run code from arguments or input.
constexpr std::string_view kCodeModules[] = {"timeit",  "code",    "pdb",     "asyncio",  "IPython",
                                             "ipython", "idlelib", "bpython", "ptpython", "xonsh"};

/// Returns true if an argument that looks like a file name contains or provides code.
bool holds_code(std::string_view file) {
  return names_no_file(file) || file.find("data:") != std::string_view::npos ||
         file.find("php:") != std::string_view::npos;
}

/// Returns true for module names as in `perl -MList::Util=sum`; other characters mean code.
bool names_modules(std::string_view names) {
  return std::all_of(names.begin(), names.end(), [](char c) {
    return is_name_char(c) || std::string_view(":=,-.").find(c) != std::string_view::npos;
  });
}

/// Returns the module in an option of Python ("-m", "-um", "-mtimeit"). `next` is the next word.
std::optional<std::string_view> module_of(std::string_view option, std::string_view next) {
  const std::size_t letter = option.find('m');
  if (option.starts_with("--") || letter == std::string_view::npos) return std::nullopt;
  if (option.find_first_of("cWXQ") < letter) return std::nullopt;
  return letter + 1 == option.size() ? next : option.substr(letter + 1);
}

/// Returns true if a module, or one named after it, reads code. Other modules count as programs.
/// `argv` begins with the option that names the first one.
bool runs_code_module(Argv argv) {
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (!argv[i].text.starts_with('-')) continue;
    // Converts both operands to views: with a std::string, the view would dangle.
    const std::string_view next = i + 1 < argv.size() ? std::string_view(argv[i + 1].text) : "";
    const auto module = module_of(argv[i].text, next);
    if (module && is_one_of(module->substr(0, module->find('.')), kCodeModules)) return true;
  }
  return argv[0].text.ends_with('m') && argv.size() > 1 && !argv[1].known;
}

/// Returns true if an option of an interpreter, or the rest of its word, contains code.
bool brings_code(const Interpreter& one, std::string_view word) {
  // Some interpreters parse options again after a blank.
  if (word.find_first_of(" \t\n") != std::string_view::npos || holds_code(word)) return true;
  if (word.starts_with("--")) {
    return any_listed(one.long_code,
                      [&](std::string_view code) { return word.substr(2).starts_with(code); });
  }
  const std::size_t modules = one.name == "perl" ? word.find_first_of("Mm") : std::string::npos;
  if (modules != std::string_view::npos && !names_modules(word.substr(modules + 1))) return true;
  return has_letter(word, one.letters, fmt::format("{}{}", one.valued, one.attached));
}

bool has_value_behind(const Interpreter& one, std::string_view option) {
  static constexpr std::string_view kLong[] = {"--require", "--import", "--loader",
                                               "--experimental-loader"};
  if (option.starts_with("--")) return is_one_of(option, kLong);
  return one.valued.find(option.back()) != std::string_view::npos;
}

std::string code_for(const Interpreter& one, std::string_view name, Argv argv) {
  const std::string code = fmt::format("code for {} is not understood", name);
  const bool has_modules = one.name == "python" || one.name == "pypy";
  if (argv.size() == 2 && is_listed(one.only_speaks, argv[1].text)) return "";
  bool options = true;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i].text;
    if (!argv[i].known) break;
    if (holds_code(word)) return code;
    if (word == one.passed) continue;
    if (!options || !word.starts_with('-')) return "";
    if (word == "--") {
      options = false;
      continue;
    }
    if (has_modules && module_of(word, "")) return runs_code_module(argv.subspan(i)) ? code : "";
    if (brings_code(one, word)) return code;
    if (!has_value_behind(one, word)) continue;
    ++i;
    if (i < argv.size() && holds_code(argv[i].text)) return code;
  }
  return fmt::format("{} runs commands from elsewhere", name);
}

/// Returns true if `name` is the interpreter with a version, such as "python3.11".
bool is_version_of(std::string_view name, std::string_view interpreter) {
  if (!name.starts_with(interpreter)) return false;
  if (name.ends_with("-dbg")) name.remove_suffix(4);
  return name.find_first_not_of("0123456789.td", interpreter.size()) == std::string_view::npos;
}

const Interpreter* find_interpreter(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kInterpreters), std::end(kInterpreters),
                   [name](const Interpreter& one) { return is_version_of(name, one.name); });
  return found == std::end(kInterpreters) ? nullptr : found;
}

}  // namespace

bool is_interpreter(std::string_view name) {
  return find_interpreter(name) != nullptr;
}

std::string code_for_interpreter(std::string_view name, Argv argv) {
  const Interpreter* one = find_interpreter(name);
  return one == nullptr ? "" : code_for(*one, name, argv);
}

}  // namespace pedro
