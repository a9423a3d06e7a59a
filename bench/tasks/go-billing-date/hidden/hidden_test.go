package billing

import (
	"testing"
	"time"
)

func hiddenDay(t *testing.T, text string) time.Time {
	t.Helper()
	date, err := time.Parse("2006-01-02", text)
	if err != nil {
		t.Fatal(err)
	}
	return date
}

func TestHiddenCharge(t *testing.T) {
	rows := []struct {
		start  string
		months int
		n      int
		want   string
	}{
		{"2023-01-31", 1, 0, "2023-01-31"},
		{"2023-01-31", 1, 1, "2023-02-28"},
		{"2023-01-31", 1, 2, "2023-03-31"},
		{"2023-01-31", 1, 3, "2023-04-30"},
		{"2023-01-31", 1, 12, "2024-01-31"},
		{"2023-01-31", 1, 13, "2024-02-29"},
		{"2023-01-30", 1, 1, "2023-02-28"},
		{"2023-01-29", 1, 13, "2024-02-29"},
		{"2023-12-31", 1, 1, "2024-01-31"},
		{"2023-11-30", 3, 1, "2024-02-29"},
		{"2023-11-30", 3, 2, "2024-05-30"},
		{"2024-02-29", 12, 1, "2025-02-28"},
		{"2024-02-29", 12, 4, "2028-02-29"},
		{"2023-05-31", 6, 1, "2023-11-30"},
		{"2023-05-01", 1, 7, "2023-12-01"},
		{"2023-02-28", 1, 1, "2023-03-28"},
	}
	for _, row := range rows {
		s := Subscription{Start: hiddenDay(t, row.start), Months: row.months}
		if got := s.Charge(row.n).Format("2006-01-02"); got != row.want {
			t.Errorf("Charge(%d) from %s every %d months = %s, want %s", row.n, row.start, row.months, got, row.want)
		}
	}
}

func TestHiddenNextAfter(t *testing.T) {
	s := Subscription{Start: hiddenDay(t, "2023-08-31"), Months: 1}
	for after, want := range map[string]string{
		"2023-08-01": "2023-08-31",
		"2023-08-31": "2023-09-30",
		"2023-09-30": "2023-10-31",
		"2024-02-01": "2024-02-29",
		"2024-02-29": "2024-03-31",
	} {
		if got := s.NextAfter(hiddenDay(t, after)).Format("2006-01-02"); got != want {
			t.Errorf("NextAfter(%s) from 2023-08-31 = %s, want %s", after, got, want)
		}
	}
}
