# A folder becomes a link to the outside while it is written to
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
mkdir real
i=0
while [ $i -lt 60 ]; do
  rm -f there; ln -s real there
  (echo owned > there/victim) 2>/dev/null &
  rm -f there; ln -s @OUTSIDE@ there
  (echo owned > there/victim)
  i=$((i + 1))
done
wait
