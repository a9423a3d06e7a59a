// One name must be one type in a namespace. The linker keeps the functions of only one of two types
// with the same name (the one definition rule, [basic.def.odr]). Compilers do not report this.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "support/read_file.h"
#include "support/temp_folder.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

/// Returns the name of the type whose definition starts at the left margin of a line, or "".
std::string defined_type(std::string_view line) {
  for (const std::string_view kind : {"enum class ", "enum ", "struct ", "class "}) {
    if (!line.starts_with(kind)) continue;
    const std::string_view rest = line.substr(kind.size());
    const std::size_t end = rest.find_first_of(" :{;<");
    const bool declares = line.find(';') != line.npos && line.find('{') == line.npos;
    const bool of_another = line.find('<') != line.npos || rest.find("::") == end;
    return declares || of_another ? "" : std::string(rest.substr(0, end));
  }
  return "";
}

/// Returns the namespace that a line opens, without "pedro": "policy::", or "".
std::string opened_namespace(std::string_view line) {
  constexpr std::string_view kOwn = "namespace pedro::";
  if (!line.starts_with(kOwn)) return "";
  return std::string(line.substr(kOwn.size(), line.find(' ', kOwn.size()) - kOwn.size())) + "::";
}

/// Returns the types that a text defines outside unnamed namespaces, as "policy::Gate".
std::vector<std::string> shared_types(const std::string& text) {
  std::vector<std::string> types;
  bool for_itself = false;
  std::string scope;
  for (const std::string_view line : split_lines(text)) {
    if (line == "namespace {") for_itself = true;
    if (line == "}  // namespace") for_itself = false;
    if (line.starts_with("namespace pedro")) scope = opened_namespace(line);
    std::string type = for_itself ? "" : defined_type(line);
    if (!type.empty()) types.push_back(scope + type);
  }
  return types;
}

/// Returns "NAME: FILE, FILE" for each type that is defined twice below `root`. Adds the number of
/// all types to `count`.
std::vector<std::string> doubled_types(const fs::path& root, std::size_t& count) {
  std::map<std::string, std::vector<std::string>> places;
  for (const char* folder : {"src", "cmd"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      for (const std::string& type : shared_types(read_file(entry.path()))) {
        places[type].push_back(fs::relative(entry.path(), root).string());
      }
    }
  }
  count = places.size();
  std::vector<std::string> doubled;
  for (auto& [type, files] : places) {
    std::sort(files.begin(), files.end());
    if (files.size() > 1) doubled.push_back(fmt::format("{}: {}", type, join(files, ", ")));
  }
  return doubled;
}

}  // namespace

TEST_CASE("types: each has a name of its own in its namespace") {
  std::size_t count = 0;
  CHECK(join(doubled_types(fs::path(PEDRO_SOURCES) / "..", count), "\n") == "");
  CHECK(count > 300);  // proves that the check found types
}

TEST_CASE("types: two of one name are found, others let pass") {
  TempFolder folder;
  folder.write("src/a/one.h",
               "struct Twice {\n};\nclass Once : public Twice {\n};\nenum class E {");
  folder.write(
      "src/b/two.cc",
      "namespace {\nstruct Once {\n};\n}  // namespace\nclass Twice;\nenum class E { k };\n"
      "template <>\nstruct Twice<int> {\n};\n  struct Once {\nstruct Once::Part {\n");
  folder.write("cmd/c.h", "class Twice final {\n};\n");
  folder.write("src/c/part.h",
               "namespace pedro::c {\nclass Twice;\nstruct Once {\n};\n}\n"
               "namespace pedro {\nstruct Whole {\n};\n}\n");
  folder.write("src/c/part.cc",
               "namespace pedro::c {\nnamespace {\n}  // namespace\n"
               "struct Once {\n};\n}\n");
  std::size_t count = 0;
  CHECK(join(doubled_types(folder.path(), count), "\n") ==
        "E: src/a/one.h, src/b/two.cc\nTwice: cmd/c.h, src/a/one.h\n"
        "c::Once: src/c/part.cc, src/c/part.h");
  CHECK(count == 5);
}

}  // namespace pedro
