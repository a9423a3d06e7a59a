package usage

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// ReadSizes reads lines such as "120 src/lib/list.go" and returns the size of each directory,
// including everything below it. The directory "." is the total.
func ReadSizes(in io.Reader) (map[string]int, error) {
	sizes := map[string]int{".": 0}
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		first, file, found := strings.Cut(scanner.Text(), " ")
		size, err := strconv.Atoi(first)
		if err != nil || !found {
			return nil, fmt.Errorf("bad line %q", scanner.Text())
		}
		for dir := path.Dir(path.Clean(file)); ; dir = path.Dir(dir) {
			sizes[dir] += size
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return sizes, scanner.Err()
}
