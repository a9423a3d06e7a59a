// Package usage reports the sizes of directories.
package usage

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

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
		if options.Depth > 0 && dir != "." && strings.Count(dir, "/") >= options.Depth {
			continue
		}
		if size >= options.Min {
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
