# What was missing in a submodule's repository is there outside, where a link leads now
# reports: was restored|was removed again|Device or resource busy|cannot move|was moved back
mv .git/modules .git/moved && ln -s @OUTSIDE@ .git/modules && rm -f .git/modules/lib/commondir
