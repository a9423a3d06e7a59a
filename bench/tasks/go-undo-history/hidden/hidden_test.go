package document

import "testing"

func TestHiddenEveryStepComesBack(t *testing.T) {
	d := &Document{}
	steps := []func(){
		func() { d.Append("a") },
		func() { d.Append("b") },
		func() { d.Append("c") },
		func() { d.Append("d") },
		func() { d.Replace(3, "D") },
		func() { d.Delete(0) },
		func() { d.Replace(0, "B") },
		func() { d.Append("e") },
		func() { d.Delete(1) },
		func() { d.Delete(2) },
		func() { d.Replace(1, "x") },
	}
	var texts []string
	for _, step := range steps {
		texts = append(texts, d.Text())
		step()
	}
	if got, want := d.Text(), "B\nx"; got != want {
		t.Fatalf("Text() after all steps = %q, want %q", got, want)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if !d.Undo() {
			t.Fatalf("Undo() of step %d = false, want true", i)
		}
		if got := d.Text(); got != texts[i] {
			t.Errorf("Text() after Undo of step %d = %q, want %q", i, got, texts[i])
		}
	}
	if d.Undo() {
		t.Error("Undo() without a history = true, want false")
	}
}

func TestHiddenUndoDelete(t *testing.T) {
	d := &Document{}
	d.Append("one")
	d.Append("two")
	d.Append("three")
	d.Delete(0)
	d.Undo()
	if got, want := d.Text(), "one\ntwo\nthree"; got != want {
		t.Errorf("Text() after Delete and Undo = %q, want %q", got, want)
	}
	if d.Replace(3, "x") || d.Delete(-1) {
		t.Error("a change of a missing line returned true")
	}
	d.Undo()
	if got, want := d.Text(), "one\ntwo"; got != want {
		t.Errorf("Text() after the second Undo = %q, want %q", got, want)
	}
}
