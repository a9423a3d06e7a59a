# A program gets the owner's rights for everybody
# reports: not permitted
# not: bubblewrap (it does not filter system calls)
cp /bin/true mine && chmod u+s mine
