# Processes are started without end
# reports: Cannot fork|cannot fork|Resource temporarily|retry
# not: landlock bubblewrap (as root: the system does not limit its processes)
i=0
while [ $i -lt 500 ]; do sleep 4 & i=$((i + 1)); done 2>&1
echo "started $i"
