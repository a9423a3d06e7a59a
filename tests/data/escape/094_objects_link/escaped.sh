test -L .git/objects/pack
