#include "sandbox/escape_world.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "base/text.h"

namespace pedro {
namespace {

constexpr const char* kSecret = "SECRET-OF-THE-TEST";
constexpr int kLeftOpen = 9;  // a descriptor that all programs started here inherit

int make_socket(int family, int type, const sockaddr* address, socklen_t size) {
  const int any = ::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  REQUIRE(any >= 0);
  const int fd = ::fcntl(any, F_DUPFD_CLOEXEC, kLeftOpen + 1);  // above kLeftOpen, which is in use
  ::close(any);
  REQUIRE(fd > kLeftOpen);
  REQUIRE(::bind(fd, address, size) == 0);
  if (type == SOCK_STREAM) REQUIRE(::listen(fd, 4) == 0);
  return fd;
}

int loopback_socket(int type) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return make_socket(AF_INET, type, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

std::string port_of(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return std::to_string(ntohs(address.sin_port));
}

/// `name` is a path, or an abstract socket name if `abstract`.
int unix_socket(const std::string& name, bool abstract, int type = SOCK_STREAM) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(name.size() + 2 < sizeof address.sun_path);
  std::memcpy(address.sun_path + (abstract ? 1 : 0), name.data(), name.size());
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + (abstract ? 1 : 0));
  return make_socket(AF_UNIX, type, reinterpret_cast<sockaddr*>(&address), size);
}

/// Starts a shell. Its output streams go to the file `output`. Closes no descriptors: that is the
/// runner's job. Returns the process id.
int start_shell(const std::string& script, const std::string& folder, const std::string& output,
                const std::vector<std::string>& variables) {
  std::vector<std::string> words = {"sh", "-c", script};
  std::vector<char*> arguments;
  std::vector<char*> environment;
  for (std::string& word : words) arguments.push_back(word.data());
  std::vector<std::string> copies = variables;
  for (std::string& variable : copies) environment.push_back(variable.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  const int pid = ::fork();
  if (pid != 0) return pid;
  ::alarm(20);  // limits the run to 20 s
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in = ::open("/dev/null", O_RDONLY);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  if (::chdir(folder.c_str()) == 0) ::execve("/bin/sh", arguments.data(), environment.data());
  ::_exit(127);
}

}  // namespace

EscapeWorld::EscapeWorld() {
  for (const char* file : {"home/.ssh/id_ed25519", "home/.netrc"}) {
    folder_.write(file, std::string(kSecret) + "\n");
  }
  folder_.write("home/.bashrc", "\n");
  folder_.write("home/.gitconfig", "[user]\nname = Ada\n");
  for (const char* file : {"victim", ".kube/config", ".kube/hooks/start", "lib/commondir"}) {
    folder_.write(std::string("outside/") + file, "untouched\n");
  }
  folder_.write("tree/README", "a project\n");
  folder_.write("tree/.pedrocli.json", "{}\n");
  folder_.write("tree/.pedro/tools/README", "none\n");
  folder_.write("tree/.git/HEAD", "ref: refs/heads/main\n");
  folder_.write("tree/.git/config", "[core]\nrepositoryformatversion = 0\nbare = false\n");
  folder_.write("tree/.git/hooks/pre-commit.sample", "#!/bin/sh\n");
  for (const char* file : {"lib", "linked"}) {
    folder_.write(std::string("tree/.git/modules/") + file + "/HEAD", "ref: refs/heads/main\n");
    folder_.write(std::string("tree/.git/modules/") + file + "/config", "[core]\n");
  }
  folder_.write("tree/borrowed/objects/aa/1", "object\n");
  folder_.write("tree/.git/objects/info/alternates", folder_.at("tree/borrowed/objects") + "\n");
  folder_.write("tree/real/README", "none\n");
  std::filesystem::create_symlink("real", folder_.at("tree/way"));
  std::filesystem::create_symlink("../../late-hook", folder_.at("tree/.git/hooks/post-commit"));
  folder_.write("tree/lib-hooks/README", "none\n");
  folder_.write("tree/own/hooks/pre-commit", "#!/bin/sh\n");
  std::filesystem::create_symlink(folder_.at("tree/lib-hooks"),
                                  folder_.at("tree/.git/modules/linked/hooks"));
  for (const char* name : {"tree/.git/objects", "tree/.git/refs", "tmp"}) {
    std::filesystem::create_directories(folder_.at(name));
  }
  listeners_["tcp"] = loopback_socket(SOCK_STREAM);
  listeners_["udp"] = loopback_socket(SOCK_DGRAM);
  listeners_["unix"] = unix_socket(folder_.at("outside/daemon.sock"), false);
  listeners_["inside"] = unix_socket(folder_.at("tree/agent.sock"), false);
  listeners_["datagram"] = unix_socket(folder_.at("tree/datagram.sock"), false, SOCK_DGRAM);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.at("tree"));
  listeners_["relative"] = unix_socket("relative.sock", false);
  std::filesystem::current_path(here);
  const std::string abstract = fmt::format("pedro-escape-{}-{}", ::getpid(), listeners_["unix"]);
  listeners_["abstract"] = unix_socket(abstract, true);
  const int secret = ::open(folder_.at("home/.ssh/id_ed25519").c_str(), O_RDONLY);
  REQUIRE(::dup2(secret, kLeftOpen) == kLeftOpen);
  ::close(secret);
  ::setenv("GITHUB_TOKEN", kSecret, 1);
  ::setenv("PEDROCLI_API_KEY", kSecret, 1);
  victim_ = start_shell(fmt::format("exec 7< {0}/.ssh/id_ed25519; echo ready > {1}; exec sleep 120",
                                    home(), folder_.at("ready")),
                        home(), folder_.at("victim-output"),
                        {fmt::format("VICTIM_TOKEN={}", kSecret), "PATH=/usr/bin:/bin"});
  for (int i = 0; i < 500 && !std::filesystem::exists(folder_.at("ready")); ++i) ::usleep(10'000);
  REQUIRE(std::filesystem::exists(folder_.at("ready")));
  names_ = {{"@TREE@", tree()},
            {"@HOME@", home()},
            {"@OUTSIDE@", folder_.at("outside")},
            {"@OUTPUT@", folder_.at("output")},
            {"@CONTACTS@", folder_.at("contacts")},
            {"@SECRET@", kSecret},
            {"@PORT@", port_of(listeners_["tcp"])},
            {"@UDP@", port_of(listeners_["udp"])},
            {"@ABSTRACT@", abstract},
            {"@VICTIM@", std::to_string(victim_)}};
}

EscapeWorld::~EscapeWorld() {
  for (const auto& [name, fd] : listeners_) ::close(fd);
  ::close(kLeftOpen);
  ::kill(victim_, SIGKILL);
  ::kill(victim_, SIGCONT);
  ::waitpid(victim_, nullptr, 0);
}

std::map<std::string, std::string> EscapeWorld::environment() const {
  return {
      {"HOME", home()}, {"TMPDIR", folder_.at("tmp")}, {"PATH", "/usr/local/bin:/usr/bin:/bin"}};
}

std::vector<std::string> EscapeWorld::protect() const {
  return {folder_.at("tree/own/hooks"), folder_.at("tree/missing/hooks"),
          folder_.at("tree/way/hooks")};
}

std::string EscapeWorld::filled(std::string script) const {
  for (const auto& [name, value] : names_) script = replace_all(script, name, value);
  return script;
}

void EscapeWorld::note_contacts() const {
  std::string contacts;
  for (const auto& [name, fd] : listeners_) {
    std::array<char, 512> bytes{};
    const bool datagram = name == "udp" || name == "datagram";
    const int got = datagram
                        ? static_cast<int>(::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT))
                        : ::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC);
    if (got < 0) continue;
    if (!datagram) ::close(got);
    contacts += name + " ";
    for (int i = 0; datagram && i < got; ++i) {
      const char c = bytes[static_cast<std::size_t>(i)];
      contacts += c > ' ' && c <= '~' ? c : '.';
    }
    contacts += "\n";
  }
  folder_.write("contacts", contacts);
}

int EscapeWorld::run_plainly(const std::string& script, bool keep_output) const {
  std::vector<std::string> variables = {
      "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home(), "TMPDIR=" + folder_.at("tmp"),
      fmt::format("GITHUB_TOKEN={}", kSecret), fmt::format("PEDROCLI_API_KEY={}", kSecret)};
  const int pid =
      start_shell(script, tree(), keep_output ? folder_.at("output") : "/dev/null", variables);
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace pedro
