#include "tools/starting_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Options that name a program to start, or a file with code.
struct StartingOptions {
  std::string_view names;         // "|make|gmake|"
  std::string_view letters = {};  // short options, also in clusters
  std::string_view words = {};    // "|filter|": long options without "--", possibly abbreviated
  std::string_view fronts = {};   // "|-exec|": prefixes of words
  std::string_view parts = {};    // "|linker=|": parts of words
  std::string_view valued = {};   // letters of short options with another value
  bool reads_code = false;        // reads code also from devices and its input
};

// clang-format off
constexpr StartingOptions kStarting[] = {
    {.names = "|tar|gtar|", .letters = "IF",
     .words = "|checkpoint-action|to-command|use-compress-program|rsh-command|info-script|"
              "new-volume-script|rmt-command|", .valued = "fbCTXgHKLNV"},
    {.names = "|bsdtar|", .words = "|use-compress-program|"},
    {.names = "|cpio|", .words = "|rsh-command|rmt-command|"},
    {.names = "|zip|", .letters = "T", .words = "|unzip-command|"},
    {.names = "|split|", .words = "|filter|"},
    {.names = "|sort|", .words = "|compress-program|"},
    {.names = "|install|", .words = "|strip-program|"},
    {.names = "|diff3|sdiff|", .words = "|diff-program|"},
    {.names = "|rg|", .words = "|pre|hostname-bin|"},
    {.names = "|fzf|sk|", .words = "|preview|bind|"},
    {.names = "|rsync|", .letters = "e", .words = "|rsh|rsync-path|", .valued = "fBTM"},
    {.names = "|scp|", .letters = "SoFD", .valued = "cilPJX"},
    {.names = "|nc|ncat|netcat|", .letters = "ec", .words = "|exec|sh-exec|lua-exec|",
     .valued = "pswi"},
    {.names = "|tcpdump|", .letters = "z", .valued = "BcCEFGijMmrsTVwWyZ"},
    {.names = "|wget|", .words = "|use-askpass|", .parts = "|use_askpass|"},
    {.names = "|aria2c|", .parts = "|--on-|"},
    {.names = "|yt-dlp|youtube-dl|", .words = "|exec|exec-before-download|downloader|external-downloader|"},
    {.names = "|make|gmake|bmake|pmake|remake|", .letters = "E", .words = "|eval|", .parts = "|-wrapper|-fplugin|", .valued = "CfIoWjl",
     .reads_code = true},
    {.names = "|just|", .letters = "c", .words = "|command|shell|shell-arg|shell-command|",
     .valued = "fdE", .reads_code = true},
    {.names = "|ninja|rake|ant|task|", .reads_code = true},
    {.names = "|rake|", .letters = "eEp", .words = "|execute|execute-print|execute-continue|",
     .valued = "fIrR"},
    {.names = "|cmake|", .parts = "|-wrapper|-fplugin|", .reads_code = true},
    {.names = "|ctest|", .words = "|build-and-test|test-command|", .parts = "|Command=|",
     .reads_code = true},
    {.names = "|go|", .fronts = "|-exec|--exec|-toolexec|--toolexec|-vettool|--vettool|",
     .parts = "|-extld|-wrapper|-fplugin|"},
    {.names = "|cargo|", .words = "|config|", .parts = "|linker=|codegen-backend=|"},
    {.names = "|rustc|rustdoc|", .words = "|runtool|test-runtool|test-builder|",
     .parts = "|linker=|codegen-backend=|"},
    {.names = "|kotlin|kotlinc|", .letters = "e"},
    {.names = "|tcc|", .reads_code = true},
    {.names = "|ghc|", .fronts = "|-e|-pgm|"},
    {.names = "|gcc|g++|cc|c++|clang|clang++|gfortran|",
     .fronts = "|-wrapper|-fplugin|-specs|--specs|-B|-fuse-ld=/|-fuse-ld=.|"},
    {.names = "|mix|", .letters = "e", .words = "|eval|"},
    {.names = "|ld|ar|nm|ranlib|strip|", .words = "|plugin|", .fronts = "|-plugin|"},
    {.names = "|clang-tidy|", .fronts = "|-load|--load|"},
    {.names = "|protoc|", .words = "|plugin|"},
    {.names = "|cppcheck|", .words = "|addon|addon-python|"},
    {.names = "|java|", .fronts = "|-agentpath|-javaagent|", .parts = "|OnError=|OnOutOfMemoryError=|",
     .reads_code = true},
    {.names = "|gradle|gradlew|", .letters = "I", .words = "|init-script|"},
    {.names = "|mvn|", .parts = "|exec:exec|exec.executable|"},
    {.names = "|npm|npx|pnpm|yarn|", .words = "|script-shell|node-options|",
     .fronts = "|script-shell|node-options|"},
    {.names = "|mapfile|readarray|", .letters = "C"},
    {.names = "|complete|compgen|", .letters = "CF"},
    {.names = "|bind|", .letters = "x"},
    {.names = "|man|", .letters = "P", .words = "|pager|html|"},
    {.names = "|less|", .fronts = "|+|"},
    {.names = "|groff|troff|", .letters = "U"},
    {.names = "|pandoc|", .letters = "FL", .words = "|filter|lua-filter|pdf-engine|",
     .valued = "ftorVMHBATc"},
    {.names = "|tex|latex|pdftex|pdflatex|xelatex|lualatex|latexmk|",
     .parts = "|shell-escape|write18|"},
    {.names = "|latexmk|", .fronts = "|-e|"},
    {.names = "|dpkg|", .words = "|pre-invoke|post-invoke|status-logger|"},
    {.names = "|apt|apt-get|aptitude|", .letters = "o", .words = "|option|"},
    {.names = "|rpm|rpmbuild|", .letters = "ED", .words = "|eval|define|pipe|"},
    {.names = "|hg|", .words = "|config|"},
    {.names = "|svn|", .words = "|diff-cmd|diff3-cmd|editor-cmd|config-option|"},
    {.names = "|git|",
     .fronts = "|--exec|--config-env|--upload-pack|--receive-pack|--extcmd|"},
    {.names = "|git clone|", .letters = "uc", .words = "|upload-pack|config|template|",
     .valued = "obj"},
    {.names = "|git init|git init-db|", .words = "|template|"},
    {.names = "|git fetch|git pull|", .words = "|upload-pack|"},
    {.names = "|git ls-remote|git fetch-pack|", .words = "|upload-pack|exec|"},
    {.names = "|git push|git send-pack|", .words = "|receive-pack|exec|"},
    {.names = "|git archive|", .words = "|exec|"},
    {.names = "|git rebase|", .letters = "x", .words = "|exec|", .valued = "sXCSr"},
    {.names = "|git grep|", .letters = "O", .words = "|open-files-in-pager|", .valued = "efmABC"},
    {.names = "|git send-email|",
     .words = "|sendmail-cmd|smtp-server|to-cmd|cc-cmd|header-cmd|"},
};
// clang-format on

/// Returns true if the next word is a file with code.
bool is_before_code(std::string_view option) {
  static constexpr std::string_view kOptions[] = {"--file",     "--makefile", "--justfile",
                                                  "--rakefile", "-P",         "-S"};
  const bool cluster = option.size() > 1 && option[0] == '-' && option[1] != '-';
  return is_one_of(option, kOptions) || (cluster && option.ends_with('f'));
}

bool starts_program(const StartingOptions& options, const std::string& word, bool old_cluster) {
  const auto begins = [&word](std::string_view front) { return word.starts_with(front); };
  const auto has = [&word](std::string_view part) { return word.find(part) != std::string::npos; };
  if (any_listed(options.fronts, begins) || any_listed(options.parts, has)) return true;
  if (options.reads_code && names_no_file(word)) return true;
  if (word.starts_with("--")) {
    const std::string_view given = std::string_view(word).substr(2, word.find('=') - 2);
    return given.size() > 1 && any_listed(options.words, [&given](std::string_view option) {
             return option.starts_with(given);
           });
  }
  if (old_cluster) return word.find_first_of(options.letters) != std::string::npos;
  return word.starts_with('-') && has_letter(word, options.letters, options.valued);
}

}  // namespace

bool has_letter(std::string_view word, std::string_view letters, std::string_view valued) {
  for (const char letter : word.substr(1)) {
    if (letters.find(letter) != std::string_view::npos) return true;
    if (valued.find(letter) != std::string_view::npos) return false;
  }
  return false;
}

bool names_no_file(std::string_view word) {
  static constexpr std::string_view kDescriptors[] = {"/dev/std", "/dev/fd/", "/proc/self/"};
  const bool option = word.starts_with('-');
  const bool cluster = option && word.size() > 2 && word[1] != '-';
  if (word == "-" || (option && word.ends_with("=-")) || (cluster && word.ends_with('-'))) {
    return true;
  }
  if (word.ends_with("/dev/null")) return false;
  const auto has = [word](std::string_view text) { return word.find(text) != word.npos; };
  if (std::any_of(std::begin(kDescriptors), std::end(kDescriptors), has)) return true;
  std::string_view file = word.substr(word.find('=') + 1);
  if (option && file == word) file.remove_prefix(std::min(word.find('/'), word.size()));
  return file.starts_with("/dev/") || file.starts_with("/proc/");
}

std::string options_that_start(std::string_view name, std::span<const ShellWord> argv) {
  for (const StartingOptions& options : kStarting) {
    if (!is_listed(options.names, name)) continue;
    // The first letters for tar may lack a dash.
    const bool old =
        options.names.starts_with("|tar|") && argv.size() > 1 && !argv[1].text.starts_with('-');
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const bool code = options.reads_code && !argv[i].known && is_before_code(argv[i - 1].text);
      if (code || starts_program(options, argv[i].text, old && i == 1)) {
        return fmt::format("{} {} may start another program", name,
                           argv[i].text.empty() ? "…" : argv[i].text);
      }
    }
  }
  return "";
}

}  // namespace pedro
