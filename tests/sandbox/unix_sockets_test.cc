#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <filesystem>

#include "sandbox/sandbox_view.h"
#include "support/temp_folder.h"
#include "sys/descriptor.h"

using namespace pedro;

namespace fs = std::filesystem;

namespace {

// Binds a socket to a name in a folder, as a relative path.
void bind_in(const std::string& folder, const std::string& name, const Descriptor& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(name.size() < sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const int bound = ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  fs::current_path(before);
  REQUIRE(bound == 0);
}

}  // namespace

TEST_CASE("unix sockets: a socket with a relative path is found in each folder that is asked for") {
  const TempFolder empty;
  const TempFolder folder;
  const Descriptor one(::socket(AF_UNIX, SOCK_STREAM, 0));
  bind_in(folder.path(), "one.sock", one);
  UnixSockets sockets;
  CHECK(sockets.below({empty.path()}).empty());
  CHECK(sockets.below({folder.path()}) == std::vector<std::string>{folder.at("one.sock")});
  const Descriptor two(::socket(AF_UNIX, SOCK_STREAM, 0));
  bind_in(folder.path(), "two.sock", two);
  CHECK(sockets.below({empty.path(), folder.path()}) ==
        std::vector<std::string>{folder.at("one.sock"), folder.at("two.sock")});
  CHECK(sockets.below({empty.path()}).empty());
}
