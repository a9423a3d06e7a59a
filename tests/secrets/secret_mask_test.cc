#include "secrets/secret_mask.h"

#include <doctest/doctest.h>

#include "base/base64.h"
#include "base/json.h"
#include "support/read_file.h"

namespace pedro {
namespace {

// Reads test rows. They contain secrets in pieces, so that secret scanners do not report them.
Json rows_of(const std::string& name) {
  return parse_json(read_file(TEST_DATA "/secrets/" + name)).value();
}

}  // namespace

TEST_CASE("secret mask: a secret is replaced by its name") {
  int rows = 0;
  for (const Json& row : rows_of("masked.json")) {
    CAPTURE(text_of(row, "name"));
    std::string text;
    for (const Json& part : member(row, "text")) text += part.get<std::string>();
    CHECK(SecretMask().mask(text) == text_of(row, "masked"));
    CHECK(SecretMask().mask(text_of(row, "masked")) == text_of(row, "masked"));
    ++rows;
  }
  CHECK(rows > 80);
}

TEST_CASE("secret mask: keeps the number of lines if requested") {
  SecretMask mask;
  mask.add_value("KEY", "first line 1\nsecond line 2");
  const std::string text =
      "a\n-----BEGIN PRIVATE KEY-----\nMIIx\nMIIy\n-----END PRIVATE KEY-----\nb first line "
      "1\nsecond line 2 c\n";
  CHECK(mask.mask_lines(text) == "a\n[masked: private key]\n\n\n\nb [masked: KEY]\n c\n");
  CHECK(mask.mask(text) == "a\n[masked: private key]\nb [masked: KEY] c\n");
}

TEST_CASE("secret mask: code, prose and random strings are unchanged") {
  int rows = 0;
  for (const Json& row : rows_of("kept.json")) {
    CAPTURE(text_of(row, "name"));
    CHECK(SecretMask().mask(text_of(row, "text")) == text_of(row, "text"));
    ++rows;
  }
  CHECK(rows > 70);
}

TEST_CASE("secret mask: values of .env files, and prefixes that a user knows") {
  SecretMask mask;
  mask.add_env_file(
      ".env",
      "# comment\nexport KEY='s3cret-value'\nDB=\"long s3cret-value too\"\n"
      "HOST=localhost:5432\nMODE=production\nURL=https://example.org/\nPORT=54321876\n"
      "SHORT=abc\nNOTHING\n");
  mask.add_prefix("our token", "myco-");
  CHECK(mask.mask("it is s3cret-value, not long s3cret-value too") ==
        "it is [masked: KEY of .env], not [masked: DB of .env]");
  const std::string plain = "production at localhost:5432, https://example.org/ 54321876 abc";
  CHECK(mask.mask(plain) == plain);
  CHECK(mask.mask("x myco-12345678 y") == "x [masked: our token] y");
  CHECK(mask.mask("myco-123") == "myco-123");
}

TEST_CASE("secret mask: a .env file is read as dotenv does") {
  SecretMask mask;
  mask.add_env_file(".env",
                    "A=plain-value-1 # comment\n"
                    "B=\"quoted#value-2\" # comment\n"
                    "C='first line 3\nsecond line 3'  # comment\n"
                    "D=value#with-hash-4\n"
                    " export  E = `value in ticks 5`\n"
                    "F=\"say \\\"value-6\\\" twice\"\n"
                    "G=\"not closed-7\n"
                    "H=value-after-8\n");
  struct Row {
    std::string text, masked;
  };
  for (const Row& row :
       {Row{"plain-value-1", "[masked: A of .env]"}, Row{"quoted#value-2", "[masked: B of .env]"},
        Row{"first line 3\nsecond line 3", "[masked: C of .env]"},
        Row{"the second line 3", "the [masked: C of .env]"},
        Row{"value#with-hash-4", "[masked: D of .env]"},
        Row{"value in ticks 5", "[masked: E of .env]"},
        Row{"say \\\"value-6\\\" twice", "[masked: F of .env]"},
        Row{"value-after-8", "[masked: H of .env]"}}) {
    CAPTURE(row.text);
    CHECK(mask.mask(row.text) == row.masked);
  }
}

TEST_CASE("secret mask: a key is hidden whatever it looks like, and too many values are counted") {
  SecretMask mask;
  mask.add_key("the key", "a-1!");
  mask.add_key("the key", "changeme");
  mask.add_key("the key", "none");
  mask.add_key("the key", "x1");
  CHECK(mask.mask("a-1! changeme none x1") == "[masked: the key] [masked: the key] none x1");
  CHECK(mask.left_out() == 0);
  for (int i = 0; i < 1100; ++i) mask.add_value("a", "value-number-" + std::to_string(i));
  mask.add_value("a", "value-number-1");
  CHECK(mask.left_out() == 78);
}

TEST_CASE("secret mask: lines of a private key are hidden without the rest of it") {
  SecretMask mask;
  const std::string first = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  const std::string second = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SupV8SIPOoDMtO2ArHkrUW7ZVxlqKzDXU";
  const std::string of_certificate =
      "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ";
  mask.add_key_file("a/server.pem", std::string("-----BEGIN PRIVATE ") + "KEY-----\n" + first +
                                        "\r\n" + second + "\nZw==\n-----END PRIVATE KEY-----\n" +
                                        "-----BEGIN CERTIFICATE-----\n" + of_certificate +
                                        "\n-----END CERTIFICATE-----\n");
  const std::string name = "[masked: private key of a/server.pem]";
  CHECK(mask.mask(second + "\n") == name + "\n");
  CHECK(mask.mask("  2\t" + first + "\n  3\t" + second + "\n") ==
        "  2\t" + name + "\n  3\t" + name + "\n");
  CHECK(mask.mask("+" + first) == "+" + name);
  CHECK(mask.mask(of_certificate + "\n") == of_certificate + "\n");
}

TEST_CASE("secret mask: files that programs keep credentials in") {
  SecretMask mask;
  mask.add_credential_file(
      ".netrc",
      "machine example.org login me password tiny-1 account x\n# password no-2\n"
      "machine other.org\n\tlogin you\n\tpassword tiny-3\n");
  mask.add_credential_file(".npmrc",
                           "//registry.example.org/:_authToken=tiny-4==\nregistry=https://x/\n"
                           "//r.example.org/:_password = \"tiny-5\"\n_auth=${NPM_TOKEN}\n"
                           "always-auth=true-6\n");
  mask.add_credential_file(".pypirc", "[pypi]\nusername = __token__\npassword: tiny-7\n");
  mask.add_credential_file("credentials", "aws_access_key_id = AK\naws_secret_access_key=tiny/8\n");
  struct Row {
    std::string text, masked;
  };
  for (const Row& row : {
           Row{"tiny-1", "[masked: password of .netrc]"},
           Row{"no-2", "no-2"},
           Row{"tiny-3", "[masked: password of .netrc]"},
           Row{"tiny-4==", "[masked: _authToken of .npmrc]"},
           Row{"tiny-5", "[masked: _password of .npmrc]"},
           Row{"${NPM_TOKEN} true-6 __token__ me you", "${NPM_TOKEN} true-6 __token__ me you"},
           Row{"tiny-7", "[masked: password of .pypirc]"},
           Row{"tiny/8", "[masked: aws_secret_access_key of credentials]"},
       }) {
    CHECK(mask.mask(row.text) == row.masked);
  }
}

TEST_CASE("secret mask: a known value is found in other forms") {
  SecretMask mask;
  mask.add_value("KEY", "pa/ss \"w0rd\" & more");
  const std::string name = "[masked: KEY]";
  const std::string base64 = "[masked: KEY in base64]";
  struct Row {
    std::string text, masked;
  };
  for (const Row& row : {
           Row{"pa/ss \"w0rd\" & more", name},
           Row{R"({"k": "pa/ss \"w0rd\" & more"})", "{\"k\": \"" + name + "\"}"},
           Row{R"({"k": "pa\/ss \"w0rd\" & more"})", "{\"k\": \"" + name + "\"}"},
           Row{"?k=pa%2Fss%20%22w0rd%22%20%26%20more&x", "?k=" + name + "&x"},
           Row{to_base64("pa/ss \"w0rd\" & more"), base64 + "Q=="},
           Row{to_base64("m:pa/ss \"w0rd\" & more"), "bTp" + base64},
           Row{to_base64("me:pa/ss \"w0rd\" & more"), "bWU6" + base64 + "Q=="},
           Row{to_base64("x=pa/ss \"w0rd\" & more\n"), "eD1" + base64 + "Cg=="},
       }) {
    CHECK(mask.mask(row.text) == row.masked);
  }
}

TEST_CASE("secret mask: texts made to be slow are searched to their end") {
  const std::string secret = std::string(" ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  for (const char* piece : {"a.",
                            "token=",
                            "token:",
                            "eyJ-",
                            "://",
                            "://a:b",
                            "-----BEGIN ",
                            "-----BEGIN PRIVATE KEY-----\n",
                            "-----END PRIVATE KEY-----\n",
                            "Bearer ",
                            "sk-",
                            "x",
                            "A\n",
                            "0123456789abcdefghijABCDEFGHIJ0123456789+/\n",
                            "token=\"",
                            "token='\"",
                            "\\\"token\\\"",
                            "\x1b[0m",
                            "LS0tLS1CRUdJTi",
                            "abcdefg",
                            "<token ",
                            "<token>",
                            "token=a.",
                            "token=a(",
                            "token=a_",
                            "token=aKey",
                            "token=/a/",
                            "token={a",
                            "--token ",
                            "name=token ",
                            "Authorization: ",
                            "basic OgOg",
                            "-u a:",
                            "token: string<",
                            "token\t\t\t\t",
                            "token=\xBF"}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < (512u << 10)) text += piece;
    SecretMask mask;
    for (int i = 0; i < 100; ++i) mask.add_value("a", "abcdefgabcdefgh" + std::to_string(i));
    const std::string masked = mask.mask(text + "\n" + secret + "\n");
    CHECK(masked.find("text not searched") == std::string::npos);
    CHECK(masked.find(secret) == std::string::npos);
  }
}

TEST_CASE("secret mask: a secret that is not UTF-8 is masked") {
  const std::string name = "[masked: a value named like a secret]";
  CHECK(SecretMask().mask("password=\"p\xE4sswort1\" \xFF") == "password=\"" + name + "\" \xFF");
  CHECK(SecretMask().mask("\xE4 token=\x93quoted-1\x94\n") == "\xE4 token=" + name + "\n");
}

TEST_CASE("secret mask: a secret is found at every place of a long text") {
  const std::string secret = std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  for (const std::size_t place : {0, 1, 4095, 4096, 65535, 65536, 1'000'000}) {
    std::string text(1u << 20, ' ');
    text.replace(place, secret.size(), secret);
    const std::string masked = SecretMask().mask(text);
    CHECK(masked.find("[masked: GitHub token]") == place);
    CHECK(masked.size() == text.size() - secret.size() + 22);
  }
}

TEST_CASE("secret mask: names of values that are certainly secret") {
  const std::string token = std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  const std::string line(64, 'K');
  SecretMask mask;
  mask.add_env_file(".env", "DB_PASSWORD=hunter2-hunter2\nAPP_NAME=my-cool-app-7\nGH_PAT=" + token +
                                "\nDATABASE_URL=postgres://app:pass-word-2@db/x\n" +
                                "KEY_FILE=\"-----BEGIN PRIVATE KEY-----\\n" + line +
                                "\\n-----END PRIVATE KEY-----\\n\"\n");
  mask.add_credential_file(".netrc",
                           "machine m login l password pass-word-1\n"
                           "machine n login l password 1234\n");
  const auto names = [&](std::string_view text) { return mask.certain_secrets_in(text).size(); };
  CHECK(names("my-cool-app-7") == 0);
  CHECK(mask.certain_secrets_in("x hunter2-hunter2 y") ==
        std::set<std::string>{"DB_PASSWORD of .env"});
  CHECK(names("pass-word-1") == 1);
  CHECK(names(token) == 1);
  CHECK(names("url = postgres://app:pass-word-2@db/x") == 1);
  CHECK(names("-----BEGIN PRIVATE KEY-----\n" + line + "\n") >= 1);
  CHECK(names("hunter2-\nhunter2") == 1);
  CHECK(names(std::string("h\0u\0n\0t\0e\0r\0002\0-\0h\0u\0n\0t\0e\0r\0002\0", 30)) == 1);
  // Short values are in many texts, and a text that only looks like a secret may be a test's.
  CHECK(names("int x = 812345;") == 0);
  CHECK(names(std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ654321") == 0);
}

}  // namespace pedro
