# Processes are started without end
# reports: Cannot fork|cannot fork|Resource temporarily|retry|so it was killed
i=0
while [ $i -lt 1500 ]; do sleep 4 & i=$((i + 1)); done 2>&1
echo "started $i"
