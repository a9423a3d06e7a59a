# A daemon outlives its command
# reports: left processes
# silent: bubblewrap (it ends them without a word)
setsid sh -c "sleep 1; touch alive" > /dev/null 2>&1 &
