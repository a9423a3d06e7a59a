package usage

import (
	"strings"
	"testing"
)

const hiddenFiles = `1 a
2 x/b
4 x/y/c
8 x/y/z/d
16 q/e
`

func TestHiddenDepth(t *testing.T) {
	rows := []struct {
		args string
		want string
	}{
		{"", "31 .\n16 q\n14 x\n12 x/y\n8 x/y/z\n"},
		{"-depth 0", "31 .\n"},
		{"-depth 1", "31 .\n16 q\n14 x\n"},
		{"-depth 2", "31 .\n16 q\n14 x\n12 x/y\n"},
		{"-depth 3", "31 .\n16 q\n14 x\n12 x/y\n8 x/y/z\n"},
		{"-depth 99", "31 .\n16 q\n14 x\n12 x/y\n8 x/y/z\n"},
		{"-min 13", "31 .\n16 q\n14 x\n"},
		{"-depth 1 -min 15", "31 .\n16 q\n"},
		{"-min 10 -depth 2", "31 .\n16 q\n14 x\n12 x/y\n"},
		{"-depth 3 -depth 0", "31 .\n"},
	}
	for _, row := range rows {
		out := &strings.Builder{}
		if err := Run(strings.Fields(row.args), strings.NewReader(hiddenFiles), out); err != nil {
			t.Errorf("Run(%s) error: %v", row.args, err)
		} else if out.String() != row.want {
			t.Errorf("Run(%s) wrote:\n%swant:\n%s", row.args, out, row.want)
		}
	}
}

func TestHiddenErrors(t *testing.T) {
	for args, want := range map[string]string{
		"-depth x":  `bad depth "x"`,
		"-depth -1": `bad depth "-1"`,
		"-depth":    "option -depth needs a value",
		"-min x":    `bad size "x"`,
		"-min":      "option -min needs a value",
		"-deep 1":   `unknown option "-deep"`,
	} {
		err := Run(strings.Fields(args), strings.NewReader(hiddenFiles), &strings.Builder{})
		if err == nil || err.Error() != want {
			t.Errorf("Run(%s) error = %v, want %s", args, err, want)
		}
	}
}
