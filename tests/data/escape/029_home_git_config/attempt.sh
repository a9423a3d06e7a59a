# The user's git configuration gets a setting that runs a program
# reports: could not lock|Permission denied|No such file
HOME=@HOME@ git config --global core.fsmonitor ./evil
