#include <doctest/doctest.h>

#include <filesystem>

#include "support/temp_folder.h"
#include "sys/tree_entries.h"

namespace pedro {

namespace fs = std::filesystem;

static unsigned bits_of(const std::string& path) {
  return static_cast<unsigned>(fs::symlink_status(path).permissions());
}

TEST_CASE("open_tree: folders and files without permissions are open again, others stay") {
  TempFolder folder;
  folder.write("outside/file", "x");
  folder.write("tree/deep/inner/file", "x");
  folder.write("tree/plain", "x");
  folder.write("tree/.git/config", "x");
  fs::create_symlink(folder.at("outside/file"), folder.at("tree/link"));
  const std::string outside = folder.at("outside/file");
  const std::string deep = folder.at("tree/deep");
  for (const std::string& path :
       {outside, folder.at("tree/.git/config"), deep + "/inner/file", deep + "/inner", deep}) {
    fs::permissions(path, fs::perms::none);
  }
  fs::permissions(folder.at("tree/plain"), fs::perms(0640));
  open_tree(folder.at("tree"));
  CHECK(bits_of(deep) == 0700);
  CHECK(bits_of(deep + "/inner") == 0700);
  CHECK(bits_of(deep + "/inner/file") == 0400);
  CHECK(bits_of(folder.at("tree/plain")) == 0640);
  CHECK(bits_of(folder.at("tree/.git/config")) == 0);
  CHECK(bits_of(outside) == 0);
  open_tree(folder.at("missing"));
}

}  // namespace pedro
