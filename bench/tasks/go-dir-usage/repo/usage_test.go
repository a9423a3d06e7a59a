package usage

import (
	"strings"
	"testing"
)

const files = `10 README
20 src/main.go
30 src/lib/list.go
40 src/lib/deep/tree.go
50 docs/index.md
`

func TestAllLevels(t *testing.T) {
	want := "150 .\n50 docs\n90 src\n70 src/lib\n40 src/lib/deep\n"
	out := &strings.Builder{}
	if err := Run(nil, strings.NewReader(files), out); err != nil {
		t.Fatalf("Run() error: %v", err)
	}
	if out.String() != want {
		t.Errorf("Run() wrote:\n%swant:\n%s", out, want)
	}
}

func TestDepth(t *testing.T) {
	for depth, want := range map[string]string{
		"1": "150 .\n50 docs\n90 src\n",
		"2": "150 .\n50 docs\n90 src\n70 src/lib\n",
	} {
		out := &strings.Builder{}
		if err := Run([]string{"-depth", depth}, strings.NewReader(files), out); err != nil {
			t.Fatalf("Run(-depth %s) error: %v", depth, err)
		}
		if out.String() != want {
			t.Errorf("Run(-depth %s) wrote:\n%swant:\n%s", depth, out, want)
		}
	}
}
