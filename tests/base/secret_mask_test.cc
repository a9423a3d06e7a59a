#include "base/secret_mask.h"

#include <doctest/doctest.h>

#include <random>

namespace pedro {
namespace {

// In two pieces, so that no tool that looks for secrets finds any here.
std::string joined(const std::string& a, const std::string& b) {
  return a + b;
}

}  // namespace

TEST_CASE("secret mask: what looks like a secret has its name in its place") {
  const std::string chance = "Zk3q9VbT7xLm2RwP8sYd4";
  const std::string random = "[masked: a string that looks random]";
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
           Row{"DB_PASS=" + chance, "DB_PASS=[masked: a value named like a secret]"},
           Row{"PASSPHRASE: " + chance, "PASSPHRASE: [masked: a value named like a secret]"},
           Row{"ENCRYPTION_KEY='" + chance + "'",
               "ENCRYPTION_KEY='[masked: a value named like a secret]'"},
           Row{"https://" + joined("hooks.slack", ".com/services/T01234567/B01234567/" + chance),
               "https://hooks.slack.com/services/[masked: Slack webhook]"},
           Row{joined("S", "G.0123456789abcdefABCDEF.") + chance + chance + " x",
               "[masked: SendGrid key] x"},
           Row{joined("whsec", "_0123456789abcdefghij"), "[masked: Stripe key]"},
           Row{joined("sk_te", "st_0123456789abcdefghij"), "[masked: Stripe key]"},
           Row{"bot123456789:" + joined("A", "A0123456789abcdefghijABCDEFGHIJ123"),
               "bot123456789:" + joined("A", "A0123456789abcdefghijABCDEFGHIJ123")},
           Row{"x/" + joined("123456789", ":AA0123456789abcdefghijABCDEFGHIJ123") + "/y",
               "x/[masked: Telegram bot's token]/y"},
           Row{joined("AGE-SECRET", "-KEY-1") + std::string(58, 'Q'), "[masked: age key]"},
           Row{"the key is " + chance + chance + ", he said", "the key is " + random + ", he said"},
           Row{chance + chance, random},
           Row{"KEY=" + chance + chance, "KEY=" + random},
           Row{"'" + chance + "+/_" + chance + "=='", "'" + random + "'"},
           Row{"postgres://me:hun/ter22@host/db",
               "postgres://me:[masked: password in a URL]@host/db"},
       }) {
    CHECK(SecretMask().mask(row.text) == row.masked);
  }
}

TEST_CASE("secret mask: lines stay as many as they are where that is asked for") {
  SecretMask mask;
  mask.add_value("KEY", "first line 1\nsecond line 2");
  const std::string text =
      "a\n-----BEGIN PRIVATE KEY-----\nMIIx\nMIIy\n-----END PRIVATE KEY-----\nb first line "
      "1\nsecond line 2 c\n";
  CHECK(mask.mask_lines(text) == "a\n[masked: private key]\n\n\n\nb [masked: KEY]\n c\n");
  CHECK(mask.mask(text) == "a\n[masked: private key]\nb [masked: KEY] c\n");
}

TEST_CASE("secret mask: of random strings nine in ten look random") {
  const std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::mt19937 random(20261125);
  int masked = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string text = "x ";
    for (int k = 0; k < 40; ++k) text += alphabet[random() % alphabet.size()];
    masked += SecretMask().mask(text) != text ? 1 : 0;
  }
  CHECK(masked >= 880);
  CHECK(masked <= 980);
}

TEST_CASE("secret mask: what is code, prose or a hash stays as it is") {
  for (const char* text : {
           "",
           "std::string token = read_token_from_file(path2, 16);",
           "password = input(\"Password: \")",
           "token: 12345678901234567890",
           "the secret of good bread is patience and flour, says everyone",
           "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
           "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
           "uuid 123e4567-e89b-12d3-a456-426614174000",
           "http://localhost:8080/a:b@c",
           "https://${USER}:${PASSWORD}@host/",
           "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
           "sk-short ghp_short AKIA eyJ.eyJ.eyJ",
           "api_key = os.environ[\"API_KEY_2_OF_3_NAMES\"]",
           "bearer of good news",
           "\"integrity\": "
           "\"sha512-Zk3q9VbT7xLm2RwP8sYd4Zk3q9VbT7xLm2RwP8sYd4Zk3q9VbT7xLm2RwP8sYd4==\"",
           "example.org/x v1.2.3 h1:Zk3q9VbT7xLm2RwP8sYd4Zk3q9VbT7xLm2RwP8sYd4k=",
           "data:image/png;base64,Zk3q9VbT7xLm2RwP8sYd4Zk3q9VbT7xLm2RwP8sYd4k=",
           "\nZk3q9VbT7xLm2RwP8sYdZk3q9VbT7xLm2RwP8sYdZk3q9VbT7xLm2RwP8sYdabcd\n",  // of 64
           "undefined reference to `_ZNKSt8messagesIwE3getEiiiRKSbIwSt11char_traitsIwESaIwEE'",
           "xmlSecGnuTLSKeyDataX509GetKeyCert, glTexCoord2fColor4fNormal3fVertex3fSUN(c)",
           "parseHttp2RequestHeaders3WithTimeout4Seconds = 1",
           "https://example.org/Zk3q9VbT7xLm2RwP8sYd4Zk3q9VbT7xLm2RwP8sYd4",
           "build/dev/tests/CMakeFiles/cli_test.dir/Unity/unity_1_cxx.cxx.o",
           "Zk3q9VbT7xLm2RwP8sYd4",                 // too short for one that has no name
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
  for (int i = 0; i < 300; ++i) mask.add_value("a", "value-number-" + std::to_string(i));
  mask.add_value("a", "value-number-1");
  CHECK(mask.left_out() == 46);
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
