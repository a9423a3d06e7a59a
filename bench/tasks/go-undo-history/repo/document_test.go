package document

import "testing"

func TestUndoReplace(t *testing.T) {
	d := &Document{}
	d.Append("one")
	d.Append("two")
	d.Replace(0, "ONE")
	if got, want := d.Text(), "ONE\ntwo"; got != want {
		t.Fatalf("Text() after Replace = %q, want %q", got, want)
	}
	if !d.Undo() {
		t.Fatal("Undo() after Replace = false, want true")
	}
	if got, want := d.Text(), "one\ntwo"; got != want {
		t.Errorf("Text() after Replace and Undo = %q, want %q", got, want)
	}
}

func TestUndoAppend(t *testing.T) {
	d := &Document{}
	d.Append("one")
	d.Append("two")
	d.Undo()
	if got, want := d.Text(), "one"; got != want {
		t.Errorf("Text() after Append and Undo = %q, want %q", got, want)
	}
}
