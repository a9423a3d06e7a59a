// Package usage reports the sizes of directories.
package usage

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// level returns 0 for the total, 1 for "src", 2 for "src/lib".
func level(dir string) int {
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// Run reads a list of files and writes one line per directory, sorted by path.
func Run(args []string, in io.Reader, out io.Writer) error {
	options, err := ParseOptions(args)
	if err != nil {
		return err
	}
	sizes, err := ReadSizes(in)
	if err != nil {
		return err
	}
	var dirs []string
	for dir, size := range sizes {
		if size >= options.Min && (options.Depth < 0 || level(dir) <= options.Depth) {
			dirs = append(dirs, dir)
		}
	}
	sort.Strings(dirs)
	for _, dir := range dirs {
		if _, err := fmt.Fprintf(out, "%d %s\n", sizes[dir], dir); err != nil {
			return err
		}
	}
	return nil
}
