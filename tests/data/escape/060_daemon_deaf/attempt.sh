# A daemon does not listen to being ended
# reports: left processes

setsid sh -c "trap \"\" TERM HUP INT; sleep 1; sleep 1; sleep 1; touch alive" > /dev/null 2>&1 &
