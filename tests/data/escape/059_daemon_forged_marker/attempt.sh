# A daemon changes its environment, so as not to be found
# reports: left processes

env -i PATH="$PATH" PEDROCLI_RUN=run-1-2-3 setsid sh -c "sleep 1; touch alive" > /dev/null 2>&1 &
