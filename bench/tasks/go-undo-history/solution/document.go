// Package document keeps the lines of a text and the history of its changes.
package document

import "strings"

// Document is a text of lines. The zero value is an empty document without a history.
type Document struct {
	lines []string
	undo  [][]string
}

// Append adds a line at the end.
func (d *Document) Append(line string) {
	d.remember()
	d.lines = append(d.lines, line)
}

// Replace changes line i. It returns false if there is no such line.
func (d *Document) Replace(i int, line string) bool {
	if i < 0 || i >= len(d.lines) {
		return false
	}
	d.remember()
	d.lines[i] = line
	return true
}

// Delete removes line i. It returns false if there is no such line.
func (d *Document) Delete(i int) bool {
	if i < 0 || i >= len(d.lines) {
		return false
	}
	d.remember()
	d.lines = append(d.lines[:i], d.lines[i+1:]...)
	return true
}

// Undo takes the last change back. It returns false if there is none.
func (d *Document) Undo() bool {
	if len(d.undo) == 0 {
		return false
	}
	last := len(d.undo) - 1
	d.lines = d.undo[last]
	d.undo = d.undo[:last]
	return true
}

// Text returns the lines, separated by newlines.
func (d *Document) Text() string {
	return strings.Join(d.lines, "\n")
}

// remember stores the lines as they are before a change.
func (d *Document) remember() {
	d.undo = append(d.undo, append([]string(nil), d.lines...))
}
