# Output changes the terminal of who reads it
# reports: x1b|owned
printf "\033]0;owned\007\033[2J"
