// Package roster computes the paid time of shifts.
package roster

import "fmt"

// Shift is a time of work. Start and End are minutes after midnight, from 0 to 1439.
type Shift struct {
	Start int
	End   int
}

// ParseShift reads a shift such as "22:00-06:30".
func ParseShift(text string) (Shift, error) {
	var h1, m1, h2, m2 int
	if _, err := fmt.Sscanf(text, "%d:%d-%d:%d", &h1, &m1, &h2, &m2); err != nil {
		return Shift{}, fmt.Errorf("bad shift %q", text)
	}
	for _, hour := range []int{h1, h2} {
		if hour < 0 || hour > 23 {
			return Shift{}, fmt.Errorf("bad hour in shift %q", text)
		}
	}
	for _, minute := range []int{m1, m2} {
		if minute < 0 || minute > 59 {
			return Shift{}, fmt.Errorf("bad minute in shift %q", text)
		}
	}
	return Shift{Start: h1*60 + m1, End: h2*60 + m2}, nil
}

// PaidMinutes returns the length of the shift without its break.
//
// A shift that does not end after its start ends on the next day; with equal times it takes
// 24 hours. The break depends on the length: 30 minutes for a shift of more than 6 hours,
// 45 minutes for a shift of more than 9 hours, otherwise none.
func (s Shift) PaidMinutes() int {
	length := s.End - s.Start
	if length < 0 {
		length += 24 * 60
	}
	if length > 9*60 {
		length -= 45
	} else if length > 6*60 {
		length -= 30
	}
	return length
}

// TotalMinutes adds up the paid minutes of shifts.
func TotalMinutes(shifts []string) (int, error) {
	total := 0
	for _, text := range shifts {
		shift, err := ParseShift(text)
		if err != nil {
			return 0, err
		}
		total += shift.PaidMinutes()
	}
	return total, nil
}
