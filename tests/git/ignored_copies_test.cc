#include "git/ignored_copies.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>

#include "support/git_folder.h"
#include "support/temp_folder.h"

using namespace pedro;
namespace fs = std::filesystem;

namespace {

constexpr long long kNoEnd = std::numeric_limits<long long>::max();

struct CopiesBench {
  CopiesBench() {
    folder.init();
    folder.put(".gitignore", ".env\n/data/\n/many/\n/large/\n/m?\n");
    folder.commit_all("first");
    write(".env", "TOKEN=1\n");
    REQUIRE(::chmod(at(".env").c_str(), 0600) == 0);
    write("data/a\nb", std::string("\0\n", 2));
    fs::create_directories(at("data/empty"));
    REQUIRE(::chmod(at("data/empty").c_str(), 0750) == 0);
    fs::create_symlink("a\nb", at("data/link"));
  }
  // Stores the files that are ignored now.
  void store() {
    auto opened = Repository::open(files, processes, cancel, folder.tree());
    REQUIRE(opened.ok());
    repository = std::make_unique<Repository>(*std::move(opened));
    REQUIRE(repository->uncommitted_files().ok());
    copies.emplace(*repository, "20261129-101500-build-7f3a");
    REQUIRE(copies->store().ok());
  }
  IgnoredCopies::Restored restore(long long ended_ns = kNoEnd) {
    auto restored = copies->restore(ended_ns);
    INFO((restored ? "" : restored.error().message));
    REQUIRE(restored.ok());
    return *std::move(restored);
  }
  std::string at(const std::string& name) const { return folder.tree() + "/" + name; }
  void write(const std::string& name, const std::string& bytes) { folder.put(name, bytes); }
  std::string read(const std::string& name) const { return read_file(at(name)); }
  int mode(const std::string& name) const {
    return static_cast<int>(files.link_info(at(name)).mode);
  }
  std::string stored() const { return at(".git/pedrocli-20261129-101500-build-7f3a.ignored"); }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::unique_ptr<Repository> repository;
  std::optional<IgnoredCopies> copies;
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("ignored copies: removed files, folders and links come back with their modes") {
  CopiesBench bench;
  bench.store();
  CHECK(bench.files.link_info(bench.stored()).mode == 0600);
  fs::remove_all(bench.at(".env"));
  fs::remove_all(bench.at("data"));
  const auto restored = bench.restore();
  CHECK(restored.paths == Paths{".env", "data/"});
  CHECK(restored.replaced == "");
  CHECK(bench.read(".env") == "TOKEN=1\n");
  CHECK(bench.mode(".env") == 0600);
  CHECK(bench.read("data/a\nb") == std::string("\0\n", 2));
  CHECK(bench.mode("data/empty") == 0750);
  CHECK(fs::read_symlink(bench.at("data/link")) == "a\nb");
  CHECK(bench.restore().paths.empty());
}

TEST_CASE("ignored copies: changed contents are replaced and kept, unless they are later") {
  CopiesBench bench;
  bench.store();
  bench.write(".env", "TOKEN=2\n");
  fs::remove(bench.at("data/link"));
  fs::create_symlink("elsewhere", bench.at("data/link"));
  CHECK(bench.restore(0).paths.empty());  // both are later
  CHECK(bench.read(".env") == "TOKEN=2\n");
  const auto restored = bench.restore();
  CHECK(restored.paths == Paths{".env", "data/link"});
  CHECK(bench.read(".env") == "TOKEN=1\n");
  CHECK(fs::read_symlink(bench.at("data/link")) == "a\nb");
  CHECK(read_file(restored.replaced + "/.env") == "TOKEN=2\n");
  bench.write(".env", "TOKEN=3\n");
  const auto again = bench.restore();
  CHECK(again.replaced != restored.replaced);
  CHECK(read_file(again.replaced + "/.env") == "TOKEN=3\n");
}

TEST_CASE("ignored copies: entries of another kind are moved away, and no link is followed") {
  CopiesBench bench;
  bench.store();
  TempFolder outside;
  outside.write("a\nb", "theirs\n");
  fs::remove_all(bench.at("data"));
  fs::create_directory_symlink(outside.path(), bench.at("data"));
  fs::remove(bench.at(".env"));
  bench.write(".env/dev", "job\n");
  const auto restored = bench.restore();
  CHECK(restored.paths == Paths{".env", "data/"});
  CHECK(bench.read(".env") == "TOKEN=1\n");
  CHECK(bench.read("data/a\nb") == std::string("\0\n", 2));
  CHECK(!fs::is_symlink(bench.at("data")));
  CHECK(outside.read("a\nb") == "theirs\n");
  CHECK(!fs::exists(outside.at("empty")));
  CHECK(read_file(restored.replaced + "/.env/dev") == "job\n");
  CHECK(fs::is_symlink(restored.replaced + "/data"));
}

TEST_CASE("ignored copies: modes of unchanged entries come back") {
  CopiesBench bench;
  bench.store();
  for (const char* name : {".env", "data", "data/empty"}) {
    REQUIRE(::chmod(bench.at(name).c_str(), 0777) == 0);
  }
  CHECK(bench.restore(0).paths.empty());
  CHECK(bench.restore().paths == Paths{".env", "data/"});  // with its entries
  CHECK(bench.mode(".env") == 0600);
  CHECK(bench.mode("data/empty") == 0750);
}

TEST_CASE("ignored copies: large paths are omitted as a whole") {
  CopiesBench bench;
  for (int i = 0; i < 1001; ++i) bench.write("many/" + std::to_string(i), "");
  bench.write("large/x", std::string((16u << 20) + 1, 'x'));
  bench.write("large/y", "y");
  for (int i = 0; i < 5; ++i) bench.write("m" + std::to_string(i), std::string(13u << 20, 'x'));
  bench.store();
  const auto paths = bench.copies->paths();
  REQUIRE(paths.ok());
  CHECK(*paths == std::set<std::string>{".env", "data/", "data/a\nb", "data/empty/", "data/link",
                                        "m0", "m1", "m2", "m3"});
}

TEST_CASE("ignored copies: damaged copies are an error with the place, and change nothing") {
  for (const auto& [bytes, place] : std::vector<std::pair<std::string, std::string>>{
           {"f 600 9 .env\nTOKEN=1\n", "byte 0"},
           {"f 600 2 .env\nab\nq 600 0 x\n\n", "byte 16"},
           {"f 9 2 .env\nab\n", "byte 0"},
           {"f 600 99999999999999999999 .env\nab\n", "byte 0"},
           {"f 600 0 \"x\nab\n", "byte 0"},
           {"noise", "byte 0"}}) {
    CopiesBench bench;
    CAPTURE(bytes);
    bench.store();
    std::ofstream(bench.stored(), std::ios::binary) << bytes;
    const auto restored = bench.copies->restore(kNoEnd);
    REQUIRE(!restored.ok());
    CHECK(restored.error().message.find(".ignored: " + place + ": ") != std::string::npos);
    CHECK(bench.read(".env") == "TOKEN=1\n");
  }
}

TEST_CASE("ignored copies: a new copy replaces the earlier one, and none remains at the end") {
  CopiesBench bench;
  bench.store();
  fs::remove_all(bench.at("data"));
  bench.store();
  CHECK(*bench.copies->paths() == std::set<std::string>{".env"});
  bench.write(".env", "TOKEN=2\n");
  const std::string replaced = bench.restore().replaced;
  CHECK(bench.copies->remove().ok());
  CHECK(!fs::exists(bench.stored()));
  CHECK(fs::exists(replaced));
  bench.copies->remove_replaced();
  CHECK(!fs::exists(replaced));
  CHECK(bench.restore().paths.empty());
}
