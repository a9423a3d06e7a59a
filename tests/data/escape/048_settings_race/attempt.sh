# A process goes on writing settings when the command has ended
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|left processes
setsid sh -c "i=0; while [ \$i -lt 40 ]; do echo {\"sandbox\":\"off\"} >> .pedrocli.json; sleep 0.05; i=\$((i + 1)); done" > /dev/null &
sleep 0.2
