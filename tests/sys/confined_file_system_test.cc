#include "sys/confined_file_system.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "support/temp_folder.h"
#include "sys/descriptor.h"
#include "sys/work_tree.h"

using namespace pedro;

namespace fs = std::filesystem;

namespace {

constexpr ConfinedFileSystem::Resolver kResolvers[] = {ConfinedFileSystem::Resolver::kBest,
                                                       ConfinedFileSystem::Resolver::kByComponents};

/// A tree, and files next to it that must not change.
struct ConfinedWorld {
  explicit ConfinedWorld(ConfinedFileSystem::Resolver resolver) {
    fs::create_directories(folder.at("outside"));
    fs::create_directories(folder.at("tree/dir"));
    folder.write("outside/f.txt", "outside");
    folder.write("tree/dir/f.txt", "inside");
    root = RealFileSystem().canonical(folder.at("tree")).value();
    auto opened = ConfinedFileSystem::open(root, resolver);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    files = *std::move(opened);
  }

  std::string at(const std::string& name) const { return root + "/" + name; }
  std::string read(const std::string& name) const {
    const auto bytes = files->read(at(name), 1000);
    return bytes ? *bytes : "error: " + bytes.error().message.substr(at(name).size() + 2);
  }
  std::string write(const std::string& name, const std::string& bytes = "new") const {
    const Status written = files->write_atomic(at(name), bytes, 0644);
    return written ? "" : written.error().message;
  }
  void link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, at(name));
  }

  TempFolder folder;
  std::string root;
  std::unique_ptr<ConfinedFileSystem> files;
};

}  // namespace

TEST_CASE("confined file system: pedrocli's own settings are only read") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    world.folder.write("tree/.pedro/f.txt", "ours");
    world.link(".pedro", "link");
    const auto refused = [&](const std::string& name) {
      return world.at(name) + ": may only be changed by the user";
    };
    CHECK(world.read("link/f.txt") == "ours");
    CHECK(world.write(".pedro/f.txt") == refused(".pedro/f.txt"));
    CHECK(world.write("link/f.txt") == refused("link/f.txt"));
    CHECK(world.write(".pedrocli.json") == refused(".pedrocli.json"));
    CHECK_FALSE(world.files->remove(world.at(".pedro/f.txt")).ok());
    CHECK_FALSE(world.files->rename(world.at("dir"), world.at(".pedro/dir")).ok());
    CHECK_FALSE(world.files->rename(world.at(".pedro"), world.at("moved")).ok());
    CHECK_FALSE(world.files->make_folders(world.at(".pedro/new"), 0755).ok());
    CHECK(world.read(".pedro/f.txt") == "ours");
    CHECK(world.write("dir/.pedrocli.json").empty());
  }
}

TEST_CASE("confined file system: inside it is as any other") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    CHECK(world.read("dir/f.txt") == "inside");
    CHECK(world.read("dir//./../dir/f.txt") == "inside");
    CHECK(world.write("dir/f.txt").empty());
    CHECK(world.read("dir/f.txt") == "new");
    CHECK(world.files->make_folders(world.at("a/b/c"), 0755).ok());
    CHECK(world.files->make_folders(world.at("a/b/c"), 0755).ok());
    CHECK_FALSE(*world.files->make_new_folder(world.at("a/b"), 0755));
    CHECK(*world.files->make_new_folder(world.at("a/new"), 0755));
    CHECK_FALSE(world.files->make_new_folder(world.at("../new"), 0755).ok());
    CHECK(world.write("a/b/c/g.txt").empty());
    CHECK(world.files->append(world.at("a/b/c/g.txt"), "er").ok());
    CHECK(world.read("a/b/c/g.txt") == "newer");
    CHECK(world.files->rename(world.at("a/b/c/g.txt"), world.at("h.txt")).ok());
    CHECK(world.files->info(world.at("h.txt")).bytes == 5);
    CHECK(world.files->info(world.root).kind == FileKind::kFolder);
    const auto entries = world.files->list(world.root);
    REQUIRE(entries.ok());
    REQUIRE(entries->size() == 3);
    CHECK((*entries)[2].name == "h.txt");
    CHECK(world.files->remove(world.at("h.txt")).ok());
    CHECK(world.files->info(world.at("h.txt")).kind == FileKind::kMissing);
    CHECK(world.read("h.txt") == "error: No such file or directory");
    CHECK_FALSE(world.files->read(world.at("dir/f.txt"), 2).ok());
  }
}

TEST_CASE("confined file system: keeps the mode of a replaced file, and leaves no temporary file") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    fs::permissions(world.at("dir/f.txt"), fs::perms(0751));
    CHECK(world.write("dir/f.txt").empty());
    CHECK(world.files->info(world.at("dir/f.txt")).mode == 0751);
    CHECK(world.files->list(world.at("dir"))->size() == 1);
    CHECK(world.write("dir") == world.at("dir") + ": Is a directory");
  }
}

TEST_CASE("confined file system: links inside are followed, in reading and in writing") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    world.link("dir/f.txt", "relative");
    world.link(world.at("dir/f.txt"), "absolute");
    world.link("dir", "folder");
    world.link("relative", "chain");
    world.link("../dir/f.txt", "dir/up");
    for (const char* name : {"relative", "absolute", "folder/f.txt", "chain", "folder/up"}) {
      CAPTURE(name);
      CHECK(world.write(name, name).empty());
      CHECK(world.read(name) == name);
      CHECK(world.read("dir/f.txt") == name);
      CHECK(world.files->info(world.at(name)).kind == FileKind::kFile);
    }
    CHECK(world.files->link_info(world.at("chain")).kind == FileKind::kSymlink);
  }
}

TEST_CASE("confined file system: nothing leads out") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    world.link("../outside", "relative");
    world.link(world.folder.at("outside"), "absolute");
    world.link("../outside/f.txt", "file");
    world.link("../outside/new.txt", "hanging");
    world.link("loop", "loop");
    world.link("/proc/self/cwd", "magic");
    for (const char* name : {"relative/f.txt", "absolute/f.txt", "file", "hanging", "loop",
                             "magic/f.txt", "../outside/f.txt", "dir/../../outside/f.txt"}) {
      CAPTURE(name);
      CHECK(world.read(name).starts_with("error: "));
      CHECK_FALSE(world.write(name).empty());
      CHECK(world.files->info(world.at(name)).kind == FileKind::kMissing);
    }
    for (const char* name : {"relative/x", "absolute/x", "../outside/x"}) {
      CAPTURE(name);
      CHECK_FALSE(world.files->append(world.at(name), "x").ok());
      CHECK_FALSE(world.files->make_folders(world.at(name), 0755).ok());
      CHECK_FALSE(world.files->remove(world.at(std::string(name) + "/../f.txt")).ok());
      CHECK_FALSE(world.files->rename(world.at("dir/f.txt"), world.at(name)).ok());
    }
    CHECK_FALSE(world.files->append(world.at("file"), "x").ok());
    CHECK_FALSE(world.files->list(world.at("relative")).ok());
    CHECK_FALSE(world.files->read(world.folder.at("outside/f.txt"), 1000).ok());
    CHECK(world.read("relative/f.txt") == "error: outside of " + world.root);
    CHECK(world.folder.read("outside/f.txt") == "outside");
    CHECK(std::distance(fs::directory_iterator(world.folder.at("outside")), {}) == 1);
  }
}

TEST_CASE("confined file system: nothing in git's own folder, by whatever link") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    world.folder.write("tree/.git/config", "x");
    world.link(".git", "git");
    for (const char* name : {".git/config", "git/config", ".GIT/config"}) {
      CAPTURE(name);
      CHECK(world.read(name).starts_with("error: "));
      CHECK_FALSE(world.write(name).empty());
    }
    CHECK_FALSE(world.files->list(world.at("git")).ok());
    CHECK_FALSE(world.files->rename(world.at("dir"), world.at(".git")).ok());
    CHECK(world.folder.read("tree/.git/config") == "x");
  }
}

TEST_CASE("confined file system: pipes, devices and sockets are refused, and nothing waits") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    REQUIRE(::mkfifo(world.at("pipe").c_str(), 0600) == 0);
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = world.at("s");
    REQUIRE(path.size() < sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    for (const char* name : {"pipe", "s"}) {
      CAPTURE(name);
      CHECK(world.read(name).starts_with("error: "));
      CHECK_FALSE(world.write(name).empty());
      CHECK_FALSE(world.files->append(world.at(name), "x").ok());
      CHECK(world.files->info(world.at(name)).kind == FileKind::kOther);
    }
    world.link("/dev/null", "device");
    CHECK(world.read("device").starts_with("error: "));
  }
}

// Repeatedly replaces a folder with a link to the outside.
TEST_CASE("confined file system: a race of 10000 swaps never reads nor writes outside") {
  for (const auto resolver : kResolvers) {
    ConfinedWorld world(resolver);
    const auto tree = WorkTree::open(*world.files, world.root);
    REQUIRE(tree.ok());
    const std::string dir = world.at("dir");
    const std::string away = world.at("away");
    const std::string link = world.at("link");
    fs::create_symlink(world.folder.at("outside"), link);
    std::atomic<bool> over = false;
    std::thread swaps([&] {
      for (int i = 0; i < 10'000; ++i) {
        ::rename(dir.c_str(), away.c_str());
        ::rename(link.c_str(), dir.c_str());
        ::rename(dir.c_str(), link.c_str());
        ::rename(away.c_str(), dir.c_str());
      }
      over = true;
    });
    long reads = 0;
    long leaks = 0;
    for (long i = 0; !over; ++i) {
      const auto path = tree->resolve("dir/f.txt");
      const std::string wanted = path ? *path : dir + "/f.txt";  // simulates a swap after the check
      const auto bytes = world.files->read(wanted, 1000);
      if (bytes) ++reads;
      if (bytes && *bytes == "outside") ++leaks;
      (void)world.files->write_atomic(wanted, "inside", 0644);
      (void)world.files->append(dir + "/new.txt", "x");
      (void)world.files->make_folders(dir + "/sub", 0755);
      const auto entries = world.files->list(dir);
      if (i % 2 == 0) (void)world.files->remove(dir + "/f.txt");
    }
    swaps.join();
    CHECK(reads > 0);
    CHECK(leaks == 0);
    CHECK(world.folder.read("outside/f.txt") == "outside");
    CHECK(std::distance(fs::directory_iterator(world.folder.at("outside")), {}) == 1);
  }
}

TEST_CASE("confined file system: an invalid root is an error") {
  CHECK_FALSE(ConfinedFileSystem::open("/no/such/folder").ok());
}
