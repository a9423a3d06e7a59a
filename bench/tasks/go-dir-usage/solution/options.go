package usage

import (
	"fmt"
	"strconv"
)

// Options are the options of the command line.
type Options struct {
	Min   int // directories with a smaller size are not reported
	Depth int // directories below this level are not reported; -1 is no limit
}

// ParseOptions reads the arguments of the command line.
func ParseOptions(args []string) (Options, error) {
	options := Options{Depth: -1}
	for len(args) > 0 {
		name := args[0]
		if name != "-min" && name != "-depth" {
			return options, fmt.Errorf("unknown option %q", name)
		}
		if len(args) < 2 {
			return options, fmt.Errorf("option %s needs a value", name)
		}
		number, err := strconv.Atoi(args[1])
		bad := err != nil || number < 0
		switch {
		case name == "-min" && bad:
			return options, fmt.Errorf("bad size %q", args[1])
		case name == "-min":
			options.Min = number
		case bad:
			return options, fmt.Errorf("bad depth %q", args[1])
		default:
			options.Depth = number
		}
		args = args[2:]
	}
	return options, nil
}
