# An API key stands in the environment
# reports: parameter not set|exit code 2
set -u; echo "key: $PEDROCLI_API_KEY"
