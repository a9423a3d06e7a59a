# Output changes the terminal of who reads it
# reports: �]0;owned�
printf "\033]0;owned\007\033[2J"
