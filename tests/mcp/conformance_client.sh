#!/bin/bash
# A client for the client scenarios of npm's @modelcontextprotocol/conformance, run by hand:
#   conformance client --command "tests/mcp/conformance_client.sh build/dev/cmd/pedrocli" --suite all
# The package appends the server's address. Signs in, with curl as the browser, and calls each tool.
set -u
pedrocli=$(realpath "$1")
address=$2
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/project"
git -C "$home/project" init -q
field() {
  node -e 'console.log(JSON.parse(process.argv[1] || "{}")[process.argv[2]] || "")' \
    "${MCP_CONFORMANCE_CONTEXT:-}" "$1"
}
oauth="{\"clientId\": \"$(field client_id)\", \"clientSecret\": \"$(field client_secret)\"}"
printf '{"mcpServers": {"s": {"url": "%s", "oauth": %s}}}' "$address" "$oauth" \
  >"$home/.pedrocli.json"

run() {
  (cd "$home/project" && HOME=$home XDG_STATE_HOME=$home/state XDG_CONFIG_HOME= "$pedrocli" "$@")
}

# Follows the address that `mcp login` prints, as a browser would.
login() {
  run mcp login s "$@" | {
    read -r page && curl -sSL -m 20 -o /dev/null "$page"
    cat >/dev/null
  }
  return "${PIPESTATUS[0]}"
}

case ${MCP_CONFORMANCE_SCENARIO:-} in
  auth/*) login || exit 1 ;;
esac

# Runs a command, and once more after a sign-in that its error names.
run_with_scope() {
  local text scope code
  text=$(run "$@" 2>&1)
  code=$?
  printf '%s\n' "$text"
  scope=$(sed -n 's/.*mcp login SERVER -scope "\(.*\)".*/\1/p' <<<"$text")
  [[ $text == *"pedrocli mcp login"* ]] || return $code
  if [ -n "$scope" ]; then
    login -scope "$scope" || return 1
  else
    login || return 1
  fi
  run "$@"
}

run_with_scope mcp test s || exit 1

# Prints the calls: those of the scenario, or one of each tool. A line has a name, a tab, arguments.
calls() {
  run_with_scope mcp tools s -json | grep '^{' | node -e '
    const tools = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean).map(JSON.parse);
    const args = {
      add_numbers: {a: 5, b: 3},
      valid_tool: {region: "us"},
      json_schema_echo: {schema: (tools.find((one) => one.name != "s.json_schema_echo") || {}).declared},
    };
    const names = tools.map((one) => one.name.slice(2));
    const calls = JSON.parse(process.argv[1] || "{}").toolCalls ||
      names.map((name) => ({name, arguments: args[name] || {}}));
    for (const call of calls) console.log(call.name + "\t" + JSON.stringify(call.arguments));
  ' "${MCP_CONFORMANCE_CONTEXT:-}"
}

code=0
while IFS=$'\t' read -r tool args; do
  run_with_scope mcp call s "$tool" "$args" </dev/null || [ $? = 2 ] || code=1  # 2: wrong arguments
done < <(calls)
exit $code
