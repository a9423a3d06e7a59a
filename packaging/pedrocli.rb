# Homebrew on Linux. packaging/release fills in version, address and sums.
class Pedrocli < Formula
  desc "Command-line agent runner for local models"
  homepage "@BASE_URL@"
  version "@VERSION@"
  license "MIT"

  depends_on :linux

  on_intel do
    url "@BASE_URL@/pedrocli-@VERSION@-linux-x86_64.tar.gz"
    sha256 "@SHA256_x86_64@"
  end
  on_arm do
    url "@BASE_URL@/pedrocli-@VERSION@-linux-aarch64.tar.gz"
    sha256 "@SHA256_aarch64@"
  end

  def install
    bin.install "bin/pedrocli"
    man1.install Dir["share/man/man1/*"]
    doc.install Dir["share/doc/pedrocli/*", "share/doc/pedrocli/.pedrocli.json.example"]
    bash_completion.install "share/bash-completion/completions/pedrocli"
    zsh_completion.install "share/zsh/vendor-completions/_pedrocli"
    fish_completion.install "share/fish/vendor_completions.d/pedrocli.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pedrocli -version")
  end
end
