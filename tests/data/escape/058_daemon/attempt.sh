# A daemon outlives its command
# reports: left processes

setsid sh -c "sleep 1; touch alive" > /dev/null 2>&1 &
