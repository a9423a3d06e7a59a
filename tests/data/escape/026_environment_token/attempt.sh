# A token stands in the environment
# reports: nothing found
env | grep TOKEN || echo nothing found
