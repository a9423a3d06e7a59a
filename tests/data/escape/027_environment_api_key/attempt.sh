# An API key stands in the environment
# reports: nothing found
echo "key: ${PEDROCLI_API_KEY:-nothing found}"
