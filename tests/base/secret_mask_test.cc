#include "base/secret_mask.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

// In two pieces, so that no tool that looks for secrets finds any here.
std::string joined(const char* a, const char* b) {
  return std::string(a) + b;
}

}  // namespace

TEST_CASE("secret mask: what looks like a secret has its name in its place") {
  const std::string chance = "Zk3q9VbT7xLm2RwP8sYd4";
  const std::string github = joined("ghp", "_0123456789abcdefghijABCDEFGHIJ123456");
  const std::string web =
      joined("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N");
  struct Row {
    std::string text;
    std::string masked;
  };
  for (const Row& row : {
           Row{"use " + github + ".", "use [masked: GitHub token]."},
           Row{joined("AK", "IAIOSFODNN7EXAMPLE"), "[masked: AWS access key]"},
           Row{"key=" + joined("sk", "-ant-api03-0123456789abcdefghij") + "\n",
               "key=[masked: Anthropic key]\n"},
           Row{web + " x", "[masked: JSON web token] x"},
           Row{"password = \"" + chance + "\"",
               "password = \"[masked: a value named like a secret]\""},
           Row{"\"api_key\": \"" + chance + "\",",
               "\"api_key\": \"[masked: a value named like a secret]\","},
           Row{"DB-PASSWORD:" + chance, "DB-PASSWORD:[masked: a value named like a secret]"},
           Row{"Authorization: Bearer " + chance, "Authorization: Bearer [masked: credentials]"},
           Row{"https://me:hunter22@example.org/x",
               "https://me:[masked: password in a URL]@example.org/x"},
           Row{"a\n-----BEGIN RSA PRIVATE KEY-----\nMIIx\n-----END RSA PRIVATE KEY-----\nb",
               "a\n[masked: private key]\nb"},
           Row{"-----BEGIN PRIVATE KEY-----\ncut", "[masked: private key]"},
           Row{github + github, "[masked: GitHub token]"},
       }) {
    CHECK(SecretMask().mask(row.text) == row.masked);
  }
}

TEST_CASE("secret mask: what is code, prose or a hash stays as it is") {
  for (const char* text : {
           "", "std::string token = read_token_from_file(path2, 16);",
           "password = input(\"Password: \")", "token: 12345678901234567890",
           "the secret of good bread is patience and flour, says everyone",
           "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
           "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
           "uuid 123e4567-e89b-12d3-a456-426614174000", "http://localhost:8080/a:b@c",
           "https://${USER}:${PASSWORD}@host/",
           "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
           "sk-short ghp_short AKIA eyJ.eyJ.eyJ", "api_key = os.environ[\"API_KEY_2_OF_3_NAMES\"]",
           "bearer of good news",
           "token: configurationValueByNameOfKey",  // no digits
           "token: 12121212121212ababababababab",   // of four characters only
       }) {
    CHECK(SecretMask().mask(text) == text);
  }
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

TEST_CASE("secret mask: texts made to be slow are not") {
  for (const char* piece : {"a.", "token=", "eyJ-", "://", "-----BEGIN ", "Bearer ", "sk-", "x"}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < (512u << 10)) text += piece;
    CHECK_FALSE(SecretMask().mask(text).empty());
  }
}

}  // namespace pedro
