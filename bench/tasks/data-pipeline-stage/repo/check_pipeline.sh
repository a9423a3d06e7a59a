# Checks pipeline.ini: every stage has a command and a time limit, and needs only stages that exist.
awk '
function trim(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}
function problem(text) {
  print "pipeline.ini: " text
  failed = 1
}
/^[ \t]*(#.*)?$/ { next }
/^\[.*\][ \t]*$/ {
  stage = trim($0)
  stage = substr(stage, 2, length(stage) - 2)
  if (stage in known) problem("[" stage "] appears twice")
  known[stage] = 1
  stages[++count] = stage
  next
}
!/=/ {
  problem("line " NR ": expected FIELD = VALUE, found \"" $0 "\"")
  next
}
{
  field = trim(substr($0, 1, index($0, "=") - 1))
  if (field !~ /^(run|timeout|needs|artifact)$/) problem("[" stage "] unknown field \"" field "\"")
  values[stage, field] = trim(substr($0, index($0, "=") + 1))
}
END {
  for (i = 1; i <= count; i++) {
    stage = stages[i]
    if (values[stage, "run"] == "") problem("[" stage "] has no \"run\"")
    if (values[stage, "timeout"] !~ /^[0-9]+$/) problem("[" stage "] needs a \"timeout\" in seconds")
    total = split(values[stage, "needs"], names, ",")
    for (j = 1; j <= total; j++) {
      if (!(trim(names[j]) in known)) problem("[" stage "] needs the stage \"" trim(names[j]) "\", which does not exist")
    }
  }
  exit failed
}' pipeline.ini
