#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace pedro {

/// Runs llama.cpp's test-gbnf-validator, whose path is in PEDROCLI_GBNF_VALIDATOR.
class LlamaValidator {
 public:
  LlamaValidator() {
    const char* path = std::getenv("PEDROCLI_GBNF_VALIDATOR");
    program_ = path ? path : "";
    if (program_.empty()) {
      std::fprintf(stderr,
                   "SKIPPED: llama.cpp's own grammar engine was not asked: set "
                   "PEDROCLI_GBNF_VALIDATOR to its test-gbnf-validator\n");
      return;
    }
    std::string name = (std::filesystem::temp_directory_path() / "pedro-gbnf-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~LlamaValidator() {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  LlamaValidator(const LlamaValidator&) = delete;
  LlamaValidator& operator=(const LlamaValidator&) = delete;

  bool there() const { return !program_.empty(); }

  void use(const std::string& grammar) { write("grammar", grammar); }

  // Returns "valid", "invalid", or the program's message if the grammar is invalid.
  std::string judge(const std::string& text) {
    write("input", text);
    // Some grammars make the program hang or use all memory.
    std::string said =
        run("ulimit -v 2000000; timeout 10 '" + program_ + "' '" + (folder_ / "grammar").string() +
            "' '" + (folder_ / "input").string() + "' 2>&1");
    if (said.starts_with("Input string is valid")) return "valid";
    if (said.starts_with("Input string is invalid")) return "invalid";
    return said;
  }

 private:
  void write(const char* name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  static std::string run(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
      out.append(buffer, got);
    pclose(pipe);
    return out;
  }

  std::string program_;
  std::filesystem::path folder_;
};

}  // namespace pedro
