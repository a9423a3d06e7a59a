# A program gets the owner's rights for everybody
# reports: not permitted
cp /bin/true mine && chmod u+s mine
