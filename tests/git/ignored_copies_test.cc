#include "git/ignored_copies.h"

#include <sys/stat.h>

#include <filesystem>
#include <limits>

#include "support/temp_folder.h"

using namespace pedro;
namespace fs = std::filesystem;

namespace {

constexpr long long kNoEnd = std::numeric_limits<long long>::max();

struct CopiesBench {
  CopiesBench() {
    fs::create_directories(job.path() + "/job");
    tree.write(".env", "TOKEN=1\n");
    REQUIRE(::chmod(tree.at(".env").c_str(), 0600) == 0);
    tree.write("data/a\nb", std::string("\0\n", 2));
    fs::create_directories(tree.at("data/empty"));
    REQUIRE(::chmod(tree.at("data/empty").c_str(), 0750) == 0);
    fs::create_symlink("a\nb", tree.at("data/link"));
  }
  void store(const std::vector<std::string>& paths = {".env", "data/"}) {
    REQUIRE(copies.store(tree.path(), paths).ok());
  }
  IgnoredCopies::Restored restore(long long ended_ns = kNoEnd) {
    auto restored = copies.restore(tree.path(), ended_ns);
    INFO((restored ? "" : restored.error().message));
    REQUIRE(restored.ok());
    return *std::move(restored);
  }
  int mode(const std::string& name) const {
    return static_cast<int>(files.link_info(tree.at(name)).mode);
  }

  TempFolder tree;
  TempFolder job;
  RealFileSystem files;
  IgnoredCopies copies{files, job.path() + "/job"};
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("ignored copies: removed files, folders and links come back with their modes") {
  CopiesBench bench;
  bench.store();
  CHECK(bench.files.link_info(bench.job.at("job/ignored-files")).mode == 0600);
  fs::remove_all(bench.tree.at(".env"));
  fs::remove_all(bench.tree.at("data"));
  const auto restored = bench.restore();
  CHECK(restored.paths == Paths{".env", "data/"});
  CHECK(restored.replaced == "");
  CHECK(bench.tree.read(".env") == "TOKEN=1\n");
  CHECK(bench.mode(".env") == 0600);
  CHECK(bench.tree.read("data/a\nb") == std::string("\0\n", 2));
  CHECK(bench.mode("data/empty") == 0750);
  CHECK(fs::read_symlink(bench.tree.at("data/link")) == "a\nb");
  CHECK(bench.restore().paths.empty());
}

TEST_CASE("ignored copies: changed contents are replaced and kept, unless they are later") {
  CopiesBench bench;
  bench.store();
  bench.tree.write(".env", "TOKEN=2\n");
  fs::remove(bench.tree.at("data/link"));
  fs::create_symlink("elsewhere", bench.tree.at("data/link"));
  CHECK(bench.restore(0).paths.empty());  // both are later
  CHECK(bench.tree.read(".env") == "TOKEN=2\n");
  const auto restored = bench.restore();
  CHECK(restored.paths == Paths{".env", "data/link"});
  CHECK(bench.tree.read(".env") == "TOKEN=1\n");
  CHECK(fs::read_symlink(bench.tree.at("data/link")) == "a\nb");
  CHECK(read_file(restored.replaced + "/.env") == "TOKEN=2\n");
  bench.tree.write(".env", "TOKEN=3\n");
  const auto again = bench.restore();
  CHECK(again.replaced != restored.replaced);
  CHECK(read_file(again.replaced + "/.env") == "TOKEN=3\n");
}

TEST_CASE("ignored copies: nothing is written through a link, or over an entry of another kind") {
  CopiesBench bench;
  bench.store();
  TempFolder outside;
  outside.write("a\nb", "theirs\n");
  fs::remove_all(bench.tree.at("data"));
  fs::create_directory_symlink(outside.path(), bench.tree.at("data"));
  fs::remove(bench.tree.at(".env"));
  fs::create_directory(bench.tree.at(".env"));
  CHECK(bench.restore().paths.empty());
  CHECK(outside.read("a\nb") == "theirs\n");
  CHECK(!fs::exists(outside.at("empty")));
}

TEST_CASE("ignored copies: large paths are omitted as a whole") {
  CopiesBench bench;
  for (int i = 0; i < 1001; ++i) bench.tree.write("many/" + std::to_string(i), "");
  bench.tree.write("large/x", std::string((16u << 20) + 1, 'x'));
  bench.tree.write("large/y", "y");
  for (int i = 0; i < 5; ++i)
    bench.tree.write("m" + std::to_string(i), std::string(13u << 20, 'x'));
  bench.store({"many/", "large/", "m0", "m1", "m2", "m3", "m4", ".env", "missing"});
  const auto paths = bench.copies.paths();
  REQUIRE(paths.ok());
  CHECK(*paths == std::set<std::string>{"m0", "m1", "m2", "m3", ".env"});
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
    bench.job.write("job/ignored-files", bytes);
    const auto restored = bench.copies.restore(bench.tree.path(), kNoEnd);
    REQUIRE(!restored.ok());
    CHECK(restored.error().message.find("job/ignored-files: " + place + ": ") != std::string::npos);
    CHECK(bench.tree.read(".env") == "TOKEN=1\n");
  }
}

TEST_CASE("ignored copies: a new copy replaces the earlier one") {
  CopiesBench bench;
  bench.store();
  bench.store({".env"});
  CHECK(*bench.copies.paths() == std::set<std::string>{".env"});
  bench.store({});
  CHECK(bench.copies.paths()->empty());
  CHECK(!fs::exists(bench.job.at("job/ignored-files")));
}
