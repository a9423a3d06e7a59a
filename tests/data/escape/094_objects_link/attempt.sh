# A folder of objects becomes a link to one outside
# reports: was removed again|was restored|Read-only
rm -rf .git/objects/pack && ln -s @OUTSIDE@ .git/objects/pack
