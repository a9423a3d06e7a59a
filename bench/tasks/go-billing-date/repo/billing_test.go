package billing

import (
	"testing"
	"time"
)

const layout = "2006-01-02"

func day(t *testing.T, text string) time.Time {
	t.Helper()
	date, err := time.Parse(layout, text)
	if err != nil {
		t.Fatal(err)
	}
	return date
}

func TestChargeInTheMiddleOfTheMonth(t *testing.T) {
	s := Subscription{Start: day(t, "2023-01-15"), Months: 1}
	if got := s.Charge(1).Format(layout); got != "2023-02-15" {
		t.Errorf("Charge(1) from 2023-01-15 = %s, want 2023-02-15", got)
	}
}

func TestChargeInShortMonth(t *testing.T) {
	s := Subscription{Start: day(t, "2023-01-31"), Months: 1}
	if got := s.Charge(1).Format(layout); got != "2023-02-28" {
		t.Errorf("Charge(1) from 2023-01-31 = %s, want 2023-02-28", got)
	}
}
