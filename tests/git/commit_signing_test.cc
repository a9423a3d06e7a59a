#include "agent/repository_bench.h"
#include "git/new_commit.h"

using namespace pedro;

namespace {

const std::string kOnlyRepository =
    "only the repository's configuration asks for it (commit.gpgsign)";

/// A repository whose user has keys for signatures.
struct SigningBench : RepositoryBench {
  /// Writes the user's configuration.
  void user_sets(const std::string& text) const { folder.write(".home/.gitconfig", text); }

  /// Creates an ssh key with this passphrase. Returns a configuration that signs with it.
  std::string with_ssh_key(const std::string& pass_phrase) {
    Command keygen;
    keygen.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", pass_phrase, "-f", folder.at("key")};
    REQUIRE(processes.run(keygen, cancel)->ok());
    return "[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = " + folder.at("key.pub") +
           "\n[commit]\n\tgpgsign = true\n";
  }

  /// Creates a program with this name in the temporary folder. Returns its path.
  std::string program(const std::string& name, const std::string& script) const {
    const std::string path = folder.write(name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  NewCommit commit() {
    folder.put("a.txt", "two\n");
    repository = *Repository::open(files, processes, cancel, folder.tree());
    const auto made = repository->commit({{"a.txt", ChangeKind::kModified, 0, false}}, "x\n");
    INFO((made.ok() ? "" : made.error().message));
    REQUIRE(made.ok());
    return *made;
  }

  bool is_signed(const NewCommit& made) const {
    return folder.git({"cat-file", "commit", made.id}).find("\ngpgsig ") != std::string::npos;
  }
};

bool has_ssh_keygen() {
  return !RealProcessRunner().find("ssh-keygen").empty();
}

/// A script that replaces gpg for git.
const std::string kGpg =
    "cat >/dev/null; echo '[GNUPG:] SIG_CREATED D' >&2\n"
    "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n";

}  // namespace

TEST_CASE("commit_signing: an ssh key signs if it needs no question") {
  if (!has_ssh_keygen()) return;
  SigningBench bench;
  SUBCASE("without a pass phrase") {
    bench.user_sets(bench.with_ssh_key(""));
    const NewCommit made = bench.commit();
    CHECK(made.not_signed == "");
    CHECK(bench.is_signed(made));
    CHECK(bench.folder.git({"rev-parse", "HEAD"}) == made.id);
  }
  SUBCASE("with a pass phrase") {
    const std::string trap = bench.program("ask", "touch " + bench.folder.at("asked"));
    ::setenv("SSH_ASKPASS", trap.c_str(), 1);
    ::setenv("DISPLAY", ":0", 1);
    bench.user_sets(bench.with_ssh_key("secret"));
    const NewCommit made = bench.commit();
    ::unsetenv("SSH_ASKPASS");
    ::unsetenv("DISPLAY");
    CHECK(made.not_signed.starts_with("git commit-tree: error: "));
    CHECK(made.not_signed.find('\n') == std::string::npos);
    CHECK_FALSE(bench.is_signed(made));
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("asked")));
  }
}

TEST_CASE("commit_signing: the user's configuration decides, the repository's may decline") {
  struct Row {
    const char* name;
    std::string user;
    std::string repository;
    bool is_signed;
    std::string not_signed;
  };
  const Row rows[] = {
      {"nobody asks", "", "", false, ""},
      {"the user asks", "[commit]\n\tgpgsign\n", "", true, ""},
      {"both ask", "[commit]\n\tgpgsign = yes\n", "[commit]\n\tgpgsign = true\n", true, ""},
      {"the repository declines", "[commit]\n\tgpgsign = true\n", "[commit]\n\tgpgsign = false\n",
       false, ""},
      {"the repository alone asks", "", "[commit]\n\tgpgsign = true\n", false, kOnlyRepository},
      {"the user has it off", "[commit]\n\tgpgsign = false\n", "[commit]\n\tgpgsign = true\n",
       false, kOnlyRepository},
      {"the last value of the user's counts", "[commit]\n\tgpgsign = true\n\tgpgsign = false\n", "",
       false, ""},
      {"no boolean", "[commit]\n\tgpgsign = perhaps\n", "", false,
       "fatal: bad boolean config value 'perhaps' for 'commit.gpgsign'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    SigningBench bench;
    bench.user_sets("[gpg]\n\tprogram = " + bench.program("gpg", kGpg) + "\n" + row.user);
    bench.folder.write("tree/.git/config", bench.folder.read("tree/.git/config") + row.repository);
    const NewCommit made = bench.commit();
    CHECK(bench.is_signed(made) == row.is_signed);
    CHECK(made.not_signed == row.not_signed);
  }
}

TEST_CASE("commit_signing: the environment is the user's") {
  SigningBench bench;
  const std::string parameters =
      "'commit.gpgsign'='true' 'gpg.program'='" + bench.program("gpg", kGpg) + "'";
  ::setenv("GIT_CONFIG_PARAMETERS", parameters.c_str(), 1);
  const NewCommit made = bench.commit();
  ::unsetenv("GIT_CONFIG_PARAMETERS");
  CHECK(bench.is_signed(made));
}

TEST_CASE("commit_signing: a key that fails leaves the commit unsigned, with git's words") {
  SigningBench bench;
  const std::string failing =
      bench.program("gpg", "cat >/dev/null; echo 'no secret key' >&2; exit 2");
  bench.user_sets("[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = " + failing + "\n");
  const NewCommit made = bench.commit();
  CHECK(made.not_signed == "git commit-tree: error: gpg failed to sign the data");
  CHECK_FALSE(bench.is_signed(made));
  CHECK(bench.folder.git({"rev-parse", "HEAD"}) == made.id);
}

TEST_CASE("commit_signing: no program runs that only the repository's configuration names") {
  struct Row {
    const char* name;
    std::string repository;  // @TRAP@ is replaced by the program's path
  };
  const Row rows[] = {
      {"a program", "[gpg]\n\tprogram = @TRAP@\n"},
      {"the same by its format", "[gpg \"openpgp\"]\n\tprogram = @TRAP@\n"},
      {"a program of another format",
       "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tprogram = @TRAP@\n[user]\n\tsigningkey = x\n"},
      {"a command that finds the key",
       "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tdefaultKeyCommand = @TRAP@\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    SigningBench bench;
    const std::string trap =
        bench.program("trap", "touch " + bench.folder.at("started") + "\n" + kGpg);
    ::setenv("GNUPGHOME", bench.folder.at(".home").c_str(), 1);
    bench.user_sets("[commit]\n\tgpgsign = true\n");
    bench.folder.write("tree/.git/config", bench.folder.read("tree/.git/config") +
                                               replace_all(row.repository, "@TRAP@", trap));
    const NewCommit made = bench.commit();
    ::unsetenv("GNUPGHOME");
    CHECK_FALSE(std::filesystem::exists(bench.folder.at("started")));
    CHECK_FALSE(bench.is_signed(made));
    CHECK(made.not_signed.starts_with("git commit-tree: "));
  }
}
