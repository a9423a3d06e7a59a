#include "prompts/project_rules.h"

#include <doctest/doctest.h>

#include "support/temp_folder.h"
#include "sys/file_system.h"

namespace pedro {

TEST_CASE("project rules: from the root down to the folder worked in, the nearest last") {
  const TempFolder folder;
  folder.write("AGENTS.md", "outside\n");
  folder.write("root/AGENTS.md", "root\n");
  folder.write("root/a/AGENTS.md", "\n a \n\n");
  folder.write("root/a/b/c/AGENTS.md", "c\n");
  folder.write("root/other/AGENTS.md", "other\n");
  const RealFileSystem files;
  struct Row {
    const char* folder;
    const char* expected;
  };
  for (const Row& row :
       {Row{"root", "root"}, Row{"root/a", "root\n\na"}, Row{"root/a/b", "root\n\na"},
        Row{"root/a/b/c", "root\n\na\n\nc"}, Row{"root/other", "root\n\nother"}, Row{"", ""}}) {
    CAPTURE(row.folder);
    CHECK(project_rules(files, folder.at("root"), folder.at(row.folder), 100) == row.expected);
  }
}

TEST_CASE("project rules: the nearest get their room first, and cut ones say so") {
  const TempFolder folder;
  std::string many;
  for (int i = 0; i < 500; ++i) many += "rule " + std::to_string(i) + "\n";
  folder.write("AGENTS.md", many);
  folder.write("a/AGENTS.md", "the nearest rule\n");
  const RealFileSystem files;
  for (const std::size_t most : {17, 18, 19, 60, 100, 1000}) {
    CAPTURE(most);
    const std::string rules = project_rules(files, folder.path(), folder.at("a"), most);
    CHECK(rules.size() <= most);
    CHECK(rules.ends_with("the nearest rule"));
  }
  const std::string cut = project_rules(files, folder.path(), folder.at("a"), 1000);
  CHECK(cut.starts_with("rule 0\n"));
  CHECK(cut.find(" left out") != std::string::npos);
}

TEST_CASE("project rules: links, folders and terminal controls are left out") {
  const TempFolder folder;
  const std::string secret = folder.write("secret", "the password\n");
  folder.write("root/AGENTS.md", "plain\x1b[2J\n");
  std::filesystem::create_directories(folder.at("root/a/AGENTS.md"));
  std::filesystem::create_directories(folder.at("root/a/b"));
  std::filesystem::create_symlink(secret, folder.at("root/a/b/AGENTS.md"));
  const std::string rules =
      project_rules(RealFileSystem(), folder.at("root"), folder.at("root/a/b"), 1000);
  CHECK(rules.starts_with("plain"));
  CHECK(rules.find('\x1b') == std::string::npos);
  CHECK(rules.find("password") == std::string::npos);
}

TEST_CASE(
    "project rules: a link inside the root is followed, and of a long file the head is read") {
  const TempFolder folder;
  folder.write("root/docs/rules.md", "from the docs\n");
  std::filesystem::create_directories(folder.at("root/a"));
  std::filesystem::create_symlink("../docs/rules.md", folder.at("root/a/AGENTS.md"));
  folder.write("root/AGENTS.md", "the first rule\n" + std::string(3u << 20, 'x') + "\n");
  const std::string rules =
      project_rules(RealFileSystem(), folder.at("root"), folder.at("root/a"), 2000);
  CHECK(rules.starts_with("the first rule\n"));
  CHECK(rules.find("left out; AGENTS.md ...]") != std::string::npos);
  CHECK(rules.ends_with("\n\nfrom the docs"));
}

TEST_CASE("project rules: the root may be the root of the file system") {
  FakeFileSystem files;
  files.files["/AGENTS.md"] = "top\n" + std::string(300, 'x');
  files.files["/a/AGENTS.md"] = "a\n";
  CHECK(project_rules(files, "/", "/a", 1000) == "top\n" + std::string(300, 'x') + "\n\na");
  CHECK(project_rules(files, "/", "/a", 40) == "[left out: AGENTS.md]\n\na");
}

TEST_CASE("project rules: a long file is read through the file system, up to a whole character") {
  FakeFileSystem files;
  std::string text = "x";
  while (text.size() < 1u << 20) text += "\u00E9";  // one byte more than the limit
  files.files["/p/AGENTS.md"] = text + "\u00E9";
  CHECK(project_rules(files, "/p", "/p", 2u << 20) == text.substr(0, text.size() - 2));
}

TEST_CASE("project rules: a folder's rules do not push out the general ones") {
  const TempFolder folder;
  folder.write("AGENTS.md", "for all\n");
  std::string many;
  for (int i = 0; i < 500; ++i) many += "rule " + std::to_string(i) + "\n";
  folder.write("a/AGENTS.md", many);
  const std::string rules = project_rules(RealFileSystem(), folder.path(), folder.at("a"), 2000);
  CHECK(rules.starts_with("for all\n\nrule 0\n"));
  CHECK(rules.size() <= 2000);
}

}  // namespace pedro
