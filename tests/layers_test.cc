// The include layers: a module may include only the modules in its USES in src/CMakeLists.txt.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "support/read_file.h"
#include "support/temp_folder.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

struct Module {
  std::string name;
  std::set<std::string> uses;
};

/// Parses lines "name: used modules", in the order of src/CMakeLists.txt. A module may use only the
/// modules above it, so cycles are impossible.
std::vector<Module> read_modules(std::string_view text, std::vector<std::string>& findings) {
  std::vector<Module> modules;
  std::set<std::string> known;
  for (std::string_view line : split_lines(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      findings.push_back("src/CMakeLists.txt: expected 'name: uses', got '" + std::string(line) +
                         "'");
      continue;
    }
    std::istringstream words{std::string(line.substr(colon + 1))};
    Module module{std::string(line.substr(0, colon)), {}};
    for (std::string used; words >> used;) {
      if (!known.contains(used))
        findings.push_back(
            fmt::format("src/CMakeLists.txt: {} uses {}, which is no module listed above it",
                        module.name, used));
      module.uses.insert(used);
    }
    known.insert(module.name);
    modules.push_back(std::move(module));
  }
  return modules;
}

/// Returns the file that a line includes, with its "" or <>; "" for other lines. If a directive has
/// neither (a macro), returns its rest unchanged.
std::string included_file(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('#')) return "";
  line = trim(line.substr(1));
  if (!line.starts_with("include")) return "";
  line = trim(line.substr(std::string_view("include").size()));
  const char close = line.starts_with('<') ? '>' : '"';
  const std::size_t end = line.find(close, 1);
  return std::string(line.substr(0, end == std::string_view::npos ? end : end + 1));
}

std::string complaint_about_own(const std::string& path, const Module& module,
                                const std::vector<Module>& modules) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return "write \"module/" + path + "\"";
  const std::string used = path.substr(0, slash);
  if (used == module.name || module.uses.contains(used)) return "";
  const bool known = std::any_of(modules.begin(), modules.end(),
                                 [&](const Module& other) { return other.name == used; });
  if (!known) return "there is no module " + used;
  return module.name + " does not list " + used + " in its USES";
}

bool is_one_of(const std::string& name, const auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string complaint_about_system(const std::string& name, const Module& module) {
  static const std::array kNowhere = {"iostream", "regex"};
  // Headers of the standard library that access the operating system.
  static const std::array kOnlySys = {"csignal", "ctime", "filesystem", "fstream"};
  static const std::array kSystemModules = {"sys", "sandbox"};
  if (is_one_of(name, kNowhere)) return "nothing in src/ may include it";
  if (name.starts_with("CLI/")) return "only cmd/ may include CLI11";
  if (name.starts_with("nlohmann/") || name.starts_with("fmt/")) return "";
  if (name == "emmintrin.h") return "";  // SSE2, no system access
  // Libraries that are reserved for a few modules.
  static const std::map<std::string, std::vector<std::string>> kOf = {
      {"cmark.h", {"markdown"}},
      {"pcre2.h", {"base"}},
      {"yaml-cpp/yaml.h", {"skills"}},
      {"utf8proc.h", {"tokenizer", "tools", "blog"}}};
  if (const auto of = kOf.find(name); of != kOf.end()) {
    const std::vector<std::string>& modules = of->second;
    const bool may = std::find(modules.begin(), modules.end(), module.name) != modules.end();
    return may ? "" : "only src/" + join(modules, " and src/") + " may include it";
  }
  if (is_one_of(module.name, kSystemModules)) return "";
  // Standard C++ headers have no dot; <x.h> and <x/y.h> belong to the system or a library.
  const bool is_standard = name.find_first_of("./") == std::string::npos;
  if (is_standard && !is_one_of(name, kOnlySys)) return "";
  return "only src/sys and src/sandbox may include it";
}

std::string complaint_about(const std::string& included, const Module& module,
                            const std::vector<Module>& modules) {
  if (included.size() < 3 || (included.back() != '"' && included.back() != '>'))
    return "expected \"module/file.h\" or <file>";
  const std::string name = included.substr(1, included.size() - 2);
  return included.front() == '"' ? complaint_about_own(name, module, modules)
                                 : complaint_about_system(name, module);
}

struct Checked {
  std::vector<std::string> findings;  ///< "agent/loop.cc:3: #include …: what is wrong"
  std::size_t files = 0;
  std::size_t includes = 0;
};

void check_file(const std::string& place, const std::string& text, const Module& module,
                const std::vector<Module>& modules, Checked& checked) {
  ++checked.files;
  std::size_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    const std::string included = included_file(line);
    if (included.empty()) continue;
    ++checked.includes;
    const std::string complaint = complaint_about(included, module, modules);
    if (!complaint.empty())
      checked.findings.push_back(
          fmt::format("{}:{}: #include {}: {}", place, number, included, complaint));
  }
}

/// Checks every source file below `src` against the module list.
Checked check_layers(const std::string& module_list, const std::string& src) {
  Checked checked;
  const std::vector<Module> modules = read_modules(module_list, checked.findings);
  std::vector<std::string> places;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(src)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".cc" || extension == ".h")
      places.push_back(fs::relative(entry.path(), src).string());
  }
  std::sort(places.begin(), places.end());
  for (const std::string& place : places) {
    const std::string folder = place.substr(0, place.find('/'));
    const auto module = std::find_if(modules.begin(), modules.end(),
                                     [&](const Module& one) { return one.name == folder; });
    if (module == modules.end())
      checked.findings.push_back(
          fmt::format("{}: {} is no module of src/CMakeLists.txt", place, folder));
    else
      check_file(place, read_file(fs::path(src) / place), *module, modules, checked);
  }
  return checked;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("layers: every include in src/ is allowed for its module") {
  const Checked checked = check_layers(read_file(PEDRO_MODULE_LIST), PEDRO_SOURCES);
  CHECK(joined(checked.findings) == "");
  // Proves that the check found files.
  CHECK(checked.files > 50);
  CHECK(checked.includes > checked.files);
}

TEST_CASE("layers: cmd/ reaches the system only through src/sys") {
  std::string findings;
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(PEDRO_COMMANDS)) {
    const std::string text = read_file(entry.path());
    ++files;
    for (const std::string_view line : split_lines(text)) {
      const std::string included = included_file(line);
      if (!included.starts_with('<') || included.find_first_of("./") == std::string::npos) continue;
      const std::string library = included.substr(1, included.find('/') - 1);
      if (is_one_of(library, std::array{"CLI", "fmt", "nlohmann"})) continue;
      findings += entry.path().filename().string() + ": " + included + "\n";
    }
  }
  CHECK(findings == "");
  CHECK(files > 30);
}

TEST_CASE("layers: a planted include is found or let pass") {
  struct Row {
    const char* name;
    const char* file;
    const char* text;
    const char* findings;
  };
  const Row rows[] = {
      {"what the module lists", "agent/a.cc", "#include \"tools/x.h\"\n", ""},
      {"its own header", "agent/a.cc", "#include \"agent/a.h\"\n", ""},
      {"the standard library", "base/a.h", "#include <string>\n#include <cstddef>\n", ""},
      {"the libraries of everybody", "base/a.h",
       "#include <fmt/format.h>\n#include <nlohmann/json.hpp>\n", ""},
      {"system headers in sys", "sys/a.cc", "#include <unistd.h>\n#include <curl/curl.h>\n", ""},
      {"an include in a comment", "base/a.h", "// #include <regex>\n", ""},
      {"a module above", "base/a.cc", "#pragma once\n\n#include \"tools/x.h\"\n",
       "base/a.cc:3: #include \"tools/x.h\": base does not list tools in its USES\n"},
      {"what is listed only by a module it uses", "agent/a.cc", "#include \"base/text.h\"\n",
       "agent/a.cc:1: #include \"base/text.h\": agent does not list base in its USES\n"},
      {"a source in a folder of the module", "base/deep/a.h", "#include \"sys/x.h\"",
       "base/deep/a.h:1: #include \"sys/x.h\": base does not list sys in its USES\n"},
      {"a folder that is no module", "base/a.cc", "#include \"cmd/x.h\"\n",
       "base/a.cc:1: #include \"cmd/x.h\": there is no module cmd\n"},
      {"a header without its module", "base/a.cc", "#include \"text.h\"\n",
       "base/a.cc:1: #include \"text.h\": write \"module/text.h\"\n"},
      {"a system header", "tools/a.cc", "#include <unistd.h>\n",
       "tools/a.cc:1: #include <unistd.h>: only src/sys and src/sandbox may include it\n"},
      {"a system header in a folder", "tools/a.cc", "#include <sys/wait.h>\n",
       "tools/a.cc:1: #include <sys/wait.h>: only src/sys and src/sandbox may include it\n"},
      {"curl", "agent/a.h", "#include <curl/curl.h>\n",
       "agent/a.h:1: #include <curl/curl.h>: only src/sys and src/sandbox may include it\n"},
      {"the disk behind the back of FileSystem", "tools/a.cc", "#include <fstream>\n",
       "tools/a.cc:1: #include <fstream>: only src/sys and src/sandbox may include it\n"},
      {"a system header in quotes", "tools/a.cc", "#include \"unistd.h\"\n",
       "tools/a.cc:1: #include \"unistd.h\": write \"module/unistd.h\"\n"},
      {"a library nobody asked for", "tools/a.cc", "#include <re2/re2.h>\n",
       "tools/a.cc:1: #include <re2/re2.h>: only src/sys and src/sandbox may include it\n"},
      {"a library of another module", "tools/a.cc", "#include <pcre2.h>\n",
       "tools/a.cc:1: #include <pcre2.h>: only src/base may include it\n"},
      {"CLI11, even in sys", "sys/a.cc", "#include <CLI/CLI.hpp>\n",
       "sys/a.cc:1: #include <CLI/CLI.hpp>: only cmd/ may include CLI11\n"},
      {"std::regex, even in sys", "sys/a.cc", "  #  include  <regex>  // small\r\n",
       "sys/a.cc:1: #include <regex>: nothing in src/ may include it\n"},
      {"iostream", "base/a.cc", "#include<iostream>\n",
       "base/a.cc:1: #include <iostream>: nothing in src/ may include it\n"},
      {"a macro", "base/a.cc", "#include HEADER\n",
       "base/a.cc:1: #include HEADER: expected \"module/file.h\" or <file>\n"},
      {"a source of no module", "helpers/a.cc", "#include <string>\n",
       "helpers/a.cc: helpers is no module of src/CMakeLists.txt\n"},
      {"a source beside the modules", "a.cc", "#include <string>\n",
       "a.cc: a.cc is no module of src/CMakeLists.txt\n"},
  };
  const char* modules = "base: \nsys: base\ntools: base sys\nagent: tools\n";
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const TempFolder src;
    src.write(row.file, row.text);
    CHECK(joined(check_layers(modules, src.path()).findings) == row.findings);
  }
}

TEST_CASE("layers: a module uses only those above it") {
  const TempFolder src;
  CHECK(joined(check_layers("base: sys\nsys: base\ntools base\n", src.path()).findings) ==
        "src/CMakeLists.txt: base uses sys, which is no module listed above it\n"
        "src/CMakeLists.txt: expected 'name: uses', got 'tools base'\n");
}

}  // namespace pedro
