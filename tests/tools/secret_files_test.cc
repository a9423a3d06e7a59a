#include "tools/secret_files.h"

#include <doctest/doctest.h>

#include <chrono>

#include "base/text.h"
#include "support/temp_folder.h"

namespace pedro {
namespace {

// A project and its masked secrets.
struct Project {
  FakeFileSystem files;
  FakeClock clock;
  SecretMask mask;
  std::vector<std::string> told;
  SecretFiles secrets{
      files, clock, {"/p"}, mask, [this](const std::string& text) { told.push_back(text); }};
};

std::string key_of(const std::string& body) {
  return std::string("-----BEGIN PRIVATE ") + "KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
}

}  // namespace

TEST_CASE("secret files: values of all files that have secrets are hidden, and of no others") {
  struct Row {
    std::string path, text, value, name;
  };
  const std::string line = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SupV8SIPOoDMtO2ArHkrUW7ZVxlqKzDXU";
  for (const Row& row : {
           Row{".env", "K=tiny-one-1", "tiny-one-1", "K of .env"},
           Row{"services/api/.env", "K=tiny-one-1", "tiny-one-1", "K of services/api/.env"},
           Row{"a/.env.local", "K=tiny-one-1", "tiny-one-1", "K of a/.env.local"},
           Row{".env.production", "K=tiny-one-1", "tiny-one-1", "K of .env.production"},
           Row{"deploy/prod.env", "K=tiny-one-1", "tiny-one-1", "K of deploy/prod.env"},
           Row{".envrc", "export K=tiny-one-1", "tiny-one-1", "K of .envrc"},
           Row{"certs/server.pem", key_of(line), line, "private key of certs/server.pem"},
           Row{"certs/server.key", key_of(line), line, "private key of certs/server.key"},
           Row{"id_ed25519", key_of(line), line, "private key of id_ed25519"},
           Row{"web/.npmrc", "//r/:_authToken=tiny-1", "tiny-1", "_authToken of web/.npmrc"},
           Row{".netrc", "machine x password tiny-1", "tiny-1", "password of .netrc"},
           Row{".aws/credentials", "aws_secret_access_key = tiny-1", "tiny-1",
               "aws_secret_access_key of .aws/credentials"},
           Row{".env.example", "K=tiny-one-1", "tiny-one-1", ""},
           Row{"a/.env.sample", "K=tiny-one-1", "tiny-one-1", ""},
           Row{"env.txt", "K=tiny-one-1", "tiny-one-1", ""},
           Row{"node_modules/x/.env", "K=tiny-one-1", "tiny-one-1", ""},
           Row{".git/x/.env", "K=tiny-one-1", "tiny-one-1", ""},
           Row{"target/.env", "K=tiny-one-1", "tiny-one-1", ""},
           Row{"credentials", "password = tiny-1", "tiny-1", ""},
       }) {
    CAPTURE(row.path);
    Project project;
    project.files.files["/p/" + row.path] = row.text;
    project.secrets.look();
    CHECK(project.mask.mask(row.value) ==
          (row.name.empty() ? row.value : "[masked: " + row.name + "]"));
    CHECK(project.told.empty());
  }
}

TEST_CASE("secret files: hides values written later, and keeps hiding the earlier ones") {
  Project project;
  project.files.files["/p/.env"] = "K=first-value-1\n";
  project.secrets.look();
  project.files.files["/p/.env"] = "K=second-value-22\n";
  project.files.files["/p/new/.env"] = "K=third-value-3\n";
  project.secrets.look();
  CHECK(project.mask.mask("first-value-1 second-value-22 third-value-3") ==
        "[masked: K of .env] [masked: K of .env] [masked: K of new/.env]");
}

TEST_CASE("secret files: a folder is listed again when its time is another, or too young") {
  TempFolder folder;
  RealFileSystem files;
  FakeClock clock;
  SecretMask mask;
  SecretFiles secrets(files, clock, {folder.path()}, mask, [](const std::string&) {});
  folder.write("a/b/x", "");
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  const auto age = [&](const char* name) {
    std::filesystem::last_write_time(folder.at(name), long_ago);
  };
  for (const char* name : {"a/b", "a", "."}) age(name);
  clock.ms = RealClock().now_ms();
  secrets.look();
  folder.write("a/b/.env", "K=first-value-1\n");
  age("a/b");
  secrets.look();
  CHECK(mask.mask("first-value-1") == "first-value-1");  // no modification time reveals the file
  folder.write("a/b/c/.env", "K=second-value-2\n");
  secrets.look();
  CHECK(mask.mask("first-value-1") == "[masked: K of a/b/.env]");
  CHECK(mask.mask("second-value-2") == "[masked: K of a/b/c/.env]");
  folder.write("a/b/c/.env", "K=third-value-33\n");
  secrets.look();
  CHECK(mask.mask("third-value-33") == "[masked: K of a/b/c/.env]");
  std::filesystem::remove(folder.at("a/b/c/.env"));
  clock.ms = files.link_info(folder.at("a/b/c")).modified_ns / 1'000'000;  // modified just now
  const auto then = std::filesystem::last_write_time(folder.at("a/b/c"));
  secrets.look();
  folder.write("a/b/c/new.env", "K=fourth-value-4\n");
  std::filesystem::last_write_time(folder.at("a/b/c"), then);
  secrets.look();
  CHECK(mask.mask("fourth-value-4") == "[masked: K of a/b/c/new.env]");
}

TEST_CASE("secret files: unread files are reported once") {
  Project project;
  std::string& text = project.files.files["/p/.env"] = "FIRST=first-value-1\n";
  text += "A=" + std::string(SecretFiles::kMaxFileBytes, 'x') + "\nLAST=last-value-2\n";
  for (std::size_t i = 0; i < SecretFiles::kMaxFolders; ++i) {
    project.files.folders["/p/f" + std::to_string(i)] = true;
  }
  project.secrets.look();
  project.secrets.look();
  CHECK(project.mask.mask("first-value-1 last-value-2") == "[masked: FIRST of .env] last-value-2");
  CHECK(join(project.told, "\n") ==
        ".env has 1048617 bytes: the text after the first 1048576 is not masked\nsecrets in files "
        "are searched in 4096 folders; there are more");
  Project many;
  for (std::size_t i = 0; i < SecretFiles::kMaxFiles + 1; ++i) {
    many.files.files["/p/" + std::to_string(i) + ".env"] =
        "A=value-a-" + std::to_string(i) + "\nB=value-b-" + std::to_string(i) + "\nC=value-c-" +
        std::to_string(i) + "\nD=value-d-" + std::to_string(i) + "\nE=value-e-1\n";
  }
  many.secrets.look();
  CHECK(join(many.told, "\n") ==
        "secrets are read from 256 files; there are more\n"
        "the files with secrets have more than 1024 values; the others are not masked");
}

}  // namespace pedro
