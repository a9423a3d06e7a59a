# deploy.sh FILE TARGET: copies a release to its target. The target is often on a slow network drive.
set -u
. "$(dirname "$0")/lib/retry.sh"

[ $# -eq 2 ] || { echo "usage: deploy.sh FILE TARGET" >&2; exit 2; }
retry 3 cp "$1" "$2" || { echo "deploy.sh: cannot copy $1" >&2; exit 1; }
echo "deployed $1"
