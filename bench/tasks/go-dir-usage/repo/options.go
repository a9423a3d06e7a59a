package usage

import (
	"fmt"
	"strconv"
)

// Options are the options of the command line.
type Options struct {
	Min int // directories with a smaller size are not reported
}

// ParseOptions reads the arguments of the command line.
func ParseOptions(args []string) (Options, error) {
	options := Options{}
	for len(args) > 0 {
		name := args[0]
		if name != "-min" {
			return options, fmt.Errorf("unknown option %q", name)
		}
		if len(args) < 2 {
			return options, fmt.Errorf("option %s needs a value", name)
		}
		size, err := strconv.Atoi(args[1])
		if err != nil || size < 0 {
			return options, fmt.Errorf("bad size %q", args[1])
		}
		options.Min = size
		args = args[2:]
	}
	return options, nil
}
