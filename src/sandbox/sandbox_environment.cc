#include "sandbox/sandbox_environment.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::array kPassed = {
    "PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "PWD", "COLUMNS", "LINES",
    "PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "CI", "TERM", "NO_COLOR", "PEDROCLI_RUN",
    // compilers and build programs
    "CC", "CXX", "CPP", "LD", "AR", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH",
    "MAKEFLAGS", "CMAKE_GENERATOR", "CMAKE_BUILD_PARALLEL_LEVEL", "CMAKE_PREFIX_PATH",
    "CTEST_OUTPUT_ON_FAILURE", "CTEST_PARALLEL_LEVEL", "CCACHE_BASEDIR", "CCACHE_NOHASHDIR",
    "SOURCE_DATE_EPOCH",
    // languages
    "GOROOT", "GOFLAGS", "GOTOOLCHAIN", "CGO_ENABLED", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS", "RUST_BACKTRACE", "JAVA_HOME", "MAVEN_HOME", "GRADLE_HOME", "NODE_ENV",
    "NODE_OPTIONS", "NODE_PATH", "NVM_DIR", "VIRTUAL_ENV", "PYTHONPATH", "PYENV_ROOT",
    "PYTHONDONTWRITEBYTECODE", "RUBYLIB", "GEM_PATH", "DOTNET_ROOT", "ASAN_OPTIONS",
    "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"};
constexpr std::array kSecretWords = {
    "TOKEN",  "SECRET",     "SECRETS",     "PASSWORD", "PASSWD", "PASS",   "KEY",     "KEYS",
    "APIKEY", "CREDENTIAL", "CREDENTIALS", "AUTH",     "PAT",    "COOKIE", "SESSION", "SOCK"};

bool is_secret_word(std::string_view word) {
  return std::find(kSecretWords.begin(), kSecretWords.end(), word) != kSecretWords.end();
}

}  // namespace

bool names_secret(std::string_view variable) {
  std::string upper;
  for (const char c : variable)
    upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  const auto words = split(upper, '_');
  return std::any_of(words.begin(), words.end(), is_secret_word);
}

std::map<std::string, std::string> reduced_environment(
    const std::map<std::string, std::string>& variables, const std::vector<std::string>& also) {
  std::map<std::string, std::string> reduced;
  for (const auto& [name, value] : variables) {
    const bool passed = std::find(kPassed.begin(), kPassed.end(), name) != kPassed.end() ||
                        name.starts_with("LC_") ||
                        std::find(also.begin(), also.end(), name) != also.end();
    if (passed && !names_secret(name)) reduced.emplace(name, value);
  }
  return reduced;
}

}  // namespace pedro
