test ! -e borrowed/objects/aa/1
