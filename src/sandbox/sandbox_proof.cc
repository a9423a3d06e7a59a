#include "sandbox/sandbox_proof.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr double kTimeout_s = 10;

/// A server on 127.0.0.1 that never answers.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd_.get(), plain, size) != 0 || ::listen(fd_.get(), 1) != 0) return;
    if (::getsockname(fd_.get(), plain, &size) == 0) port_ = ntohs(address.sin_port);
  }
  int port() const { return port_; }

 private:
  Descriptor fd_;
  int port_ = 0;
};

struct Attempt {
  const char* what;
  std::string script;  ///< exits with 0 if the action succeeded
};

std::vector<Attempt> attempts(const std::string& outside, const std::string& tree,
                              const std::string& home, int port) {
  const RealFileSystem files;
  std::vector<Attempt> list = {
      {"write outside", fmt::format("echo x > {}", quoted_for_shell(outside + "/file"))},
      {"read outside", fmt::format("cat {}", quoted_for_shell(outside + "/file"))},
      {"read pedrocli's environment", fmt::format("cat /proc/{}/environ", ::getpid())}};
  if (!home.empty() && files.info(home + "/.ssh").kind == FileKind::kFolder) {
    list.push_back({"read ~/.ssh", fmt::format("ls {}", quoted_for_shell(home + "/.ssh"))});
  }
  if (files.info(tree + "/.git/config").kind == FileKind::kFile) {
    list.push_back({"open .git/config for writing", ": >> .git/config"});
  }
  if (port != 0 && !RealProcessRunner().find("bash").empty()) {
    list.push_back({"connect to a server on this machine",
                    fmt::format("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{}'", port)});
  }
  return list;
}

}  // namespace

Result<std::vector<SandboxProof>> prove_sandbox(Sandbox& sandbox, const std::string& tree,
                                                const std::string& home,
                                                const CancelToken& cancel) {
  PEDRO_TRY(ScratchFolder outside, ScratchFolder::make(""));
  if (Status made = RealFileSystem().write_atomic(outside.path() + "/file", "secret\n", 0600);
      !made) {
    return made.error();
  }
  const Listener listener;
  SandboxRunner runner(sandbox);
  Command command;
  command.folder = tree;
  command.timeout_s = kTimeout_s;
  command.argv = {"sh", "-c", "echo x > \"$TMPDIR/file\""};
  PEDRO_TRY(const ProcessResult allowed, runner.run(command, cancel));
  if (!allowed.ok()) {
    return Error{ErrorKind::kUsage, fmt::format("no command runs in it: {}", trim(allowed.err))};
  }
  std::vector<SandboxProof> proofs;
  for (const Attempt& attempt : attempts(outside.path(), tree, home, listener.port())) {
    command.argv = {"sh", "-c", "( " + attempt.script + " ) > /dev/null 2>&1"};
    PEDRO_TRY(const ProcessResult result, runner.run(command, cancel));
    proofs.push_back({attempt.what, !result.ok()});
  }
  return proofs;
}

}  // namespace pedro
