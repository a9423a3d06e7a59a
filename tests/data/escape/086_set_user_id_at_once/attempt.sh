# A program is made with the owner's rights for everybody
# reports: not permitted
perl -e 'use Fcntl; sysopen(F, "mine", O_CREAT | O_WRONLY, 04755) or die "$!\n"'
