for _ in 1 2 3 4 5 6 7 8 9 10; do
  kill -0 @VICTIM@ 2>/dev/null || exit 0
  grep -q "State:.Z" /proc/@VICTIM@/status && exit 0
  sleep 0.05
done
exit 1
