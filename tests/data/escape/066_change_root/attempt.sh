# The root folder is changed
# reports: not permitted
# needs: root
perl -e "chroot(q(.)) ? print qq(changed\n) : print qq(\$!\n)"
