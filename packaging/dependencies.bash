# dependencies.bash: fetches and builds the libraries of a static program; to be sourced after
# scripts/packages.bash. $base is the cache, $work a temporary folder (see there).

# Prints the fields of the line $1 of packaging/dependencies: suite, version, SHA-256.
dependency() { awk -v name="$1" '$1 == name { print $2, $3, $4 }' "$packaging/dependencies"; }

# Unpacks the compiler to $zig, its folder in the cache.
fetch_compiler() {
  local suite version hash
  read -r suite version hash < <(dependency ziglang)
  zig=$base/zig-$version
  [ ! -x "$zig/ziglang/zig" ] || return 0
  echo "fetching the compiler, zig $version" >&2
  pip_download "ziglang==$version" "$work/zig.whl"
  is "$work/zig.whl" "$hash" || die 3 "ziglang $version is not the pinned wheel for x86_64"
  python3 -m zipfile -e "$work/zig.whl" "$work/zig" || die 3 "cannot unpack ziglang $version"
  chmod +x "$work/zig/ziglang/zig"
  mv -T "$work/zig" "$zig"
}

# Prints the folder with the files of the source package $1, from Debian's archive or the cache.
fetch_source() {
  local suite version hash
  read -r suite version hash < <(dependency "$1")
  local dsc=$1_${version#*:}.dsc folder=$base/sources/$1-${version#*:}
  if ! is "$folder/$dsc" "$hash"; then
    echo "fetching $1 $version" >&2
    [ "${opened:-}" = "$suite" ] || archive_open "$suite" deb-src "$1"
    opened=$suite
    rm -rf "$work/source" && mkdir -p "$work/source" "$base/sources"
    (cd "$work/source" && apt-get "${archive[@]}" source --download-only "$1=$version") \
      >"$work/log" 2>&1 || die 3 "cannot fetch $1 $version: $(archive_because)"
    is "$work/source/$dsc" "$hash" || die 3 "$dsc is not the pinned one"
    rm -rf "$folder"
    mv -T "$work/source" "$folder"
  fi
}

# Unpacks the source package $1, with Debian's patches, as the folder $2. dpkg-source verifies all
# files against the .dsc.
unpack_source() {
  local suite version hash
  read -r suite version hash < <(dependency "$1")
  fetch_source "$1"
  dpkg-source --no-copy -x "$base/sources/$1-${version#*:}/$1_${version#*:}.dsc" "$2" \
    >"$work/log" 2>&1 || die 3 "cannot unpack $1: $(tail -n 1 "$work/log")"
}

# Writes the compiler's commands for $target, and CMake's file about them, into $prefix/bin.
write_toolchain() {
  local tool
  mkdir -p "$prefix/bin"
  for tool in cc c++; do
    printf '#!/bin/sh\nexec "%s/ziglang/zig" %s -target %s "$@"\n' "$zig" $tool "$target" \
      >"$prefix/bin/$tool"
  done
  for tool in ar ranlib; do
    printf '#!/bin/sh\nexec "%s/ziglang/zig" %s "$@"\n' "$zig" $tool >"$prefix/bin/$tool"
  done
  chmod +x "$prefix"/bin/{cc,c++,ar,ranlib}
  cat >"$prefix/toolchain.cmake" <<END
set(CMAKE_C_COMPILER $prefix/bin/cc)
set(CMAKE_CXX_COMPILER $prefix/bin/c++)
set(CMAKE_AR $prefix/bin/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $prefix/bin/ranlib CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH $prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(PKG_CONFIG_ARGN --static)
END
  [ "$arch" = "$(uname -m)" ] || cat >>"$prefix/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $arch)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-$arch-static)
END
}

# Runs a step "$2…" of the dependency $1, and shows the end of its output if it fails.
step() {
  local name=$1
  shift
  "$@" >>"$work/$name.log" 2>&1 && return
  tail -n 30 "$work/$name.log" >&2
  die 3 "cannot build $name for $target"
}

# Builds the source package $1 with CMake and the options $2…, unless an interrupted run did.
build_cmake() {
  local name=$1
  shift
  [ ! -e "$prefix/licences/$name" ] || return 0
  unpack_source "$name" "$work/$name"
  echo "building $name" >&2
  step "$name" cmake -S "$work/$name" -B "$work/$name.build" -G Ninja --toolchain \
    "$prefix/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
    -DCMAKE_C_FLAGS="-ffile-prefix-map=$work=." -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$work=." "$@"
  step "$name" cmake --build "$work/$name.build"
  step "$name" cmake --install "$work/$name.build"
  keep_licence "$name"
}

# Builds the source package $1 with its configure script, and installs it by the make targets $2. $3…:
# options.
build_configure() {
  local name=$1 targets=$2
  shift 2
  [ ! -e "$prefix/licences/$name" ] || return 0
  unpack_source "$name" "$work/$name"
  echo "building $name" >&2
  (
    cd "$work/$name"
    find . -exec touch -d @0 {} + # patches must not make the generated files look old
    export CC=$prefix/bin/cc CXX=$prefix/bin/c++ AR=$prefix/bin/ar RANLIB=$prefix/bin/ranlib
    export CFLAGS="-O2 -ffile-prefix-map=$work=."
    # musl's wchar_t is ISO 10646, but no macro of it says so to libedit.
    export CPPFLAGS="-I$prefix/include -D__STDC_ISO_10646__=201706L"
    export LDFLAGS="-L$prefix/lib"
    step "$name" ./configure --host="$arch-linux-musl" --prefix="$prefix" "$@"
    step "$name" make -j"$(nproc)"
    # shellcheck disable=SC2086
    step "$name" make $targets
  )
  keep_licence "$name"
}

# Keeps Debian's file about the licences of the source package $1, which is complete then.
keep_licence() { install -Dm644 "$work/$1/debian/copyright" "$prefix/licences/$1"; }

# Builds all libraries for $arch as the folder $prefix in the cache, if it does not exist.
build_dependencies() {
  local recipe
  recipe=$(cat "$packaging"/dependencies{,.bash} | sha256sum)
  prefix=$base/$arch-${recipe:0:12}
  target=$arch-linux-musl
  fetch_compiler
  export ZIG_GLOBAL_CACHE_DIR=$base/zig-cache ZIG_LOCAL_CACHE_DIR=$base/zig-cache
  export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig:$prefix/share/pkgconfig
  [ ! -e "$prefix/complete" ] || return 0
  write_toolchain
  build_cmake cli11 -DCLI11_BUILD_{TESTS,EXAMPLES,DOCS}=OFF -DCLI11_PRECOMPILED=OFF
  build_cmake nlohmann-json3 -DJSON_BuildTests=OFF
  build_cmake fmtlib -DFMT_{TEST,DOC}=OFF
  build_cmake yaml-cpp -DYAML_CPP_BUILD_{TESTS,TOOLS,CONTRIB}=OFF
  build_cmake utf8proc
  build_cmake pcre2 -DPCRE2_BUILD_{TESTS,PCRE2GREP}=OFF -DPCRE2_SUPPORT_JIT=ON
  build_cmake cmark -DCMARK_{TESTS,SHARED}=OFF -DCMARK_STATIC=ON
  build_configure libseccomp install --enable-static --disable-shared
  build_configure ncurses "install.libs install.includes" --with-termlib=tinfo --enable-{widec,overwrite} \
    --without-{ada,cxx,cxx-binding,debug,manpages,progs,shared,tests} --disable-db-install \
    --with-build-cc=cc --with-default-terminfo-dir=/usr/share/terminfo \
    --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
    --with-fallbacks=xterm,xterm-256color,linux,screen,screen-256color,tmux,tmux-256color,vt100
  build_configure libedit install --enable-static --disable-shared --disable-examples
  build_cmake mbedtls -DENABLE_{PROGRAMS,TESTING}=OFF -DGEN_FILES=OFF
  build_cmake curl -DBUILD_{CURL_EXE,LIBCURL_DOCS,MISC_DOCS}=OFF -DENABLE_CURL_MANUAL=OFF \
    -DHTTP_ONLY=ON -DCURL_USE_MBEDTLS=ON -DCURL_USE_{LIBPSL,LIBSSH2}=OFF -DUSE_{NGHTTP2,LIBIDN2}=OFF \
    -DCURL_{ZLIB,BROTLI,ZSTD}=OFF -DCURL_CA_{BUNDLE,PATH}=none -DCURL_DISABLE_INSTALL=OFF
  touch "$prefix/complete"
}
