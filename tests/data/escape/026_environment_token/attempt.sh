# A token stands in the environment
# reports: exit code 1
env | grep TOKEN
