package roster

import "testing"

func TestPaidMinutes(t *testing.T) {
	rows := []struct {
		shift string
		want  int
	}{
		{"09:00-12:30", 210},
		{"22:00-02:00", 240},
		{"08:00-16:00", 450},
		{"08:00-18:00", 555},
	}
	for _, row := range rows {
		shift, err := ParseShift(row.shift)
		if err != nil {
			t.Fatalf("ParseShift(%q): %v", row.shift, err)
		}
		if got := shift.PaidMinutes(); got != row.want {
			t.Errorf("PaidMinutes() of %s = %d, want %d", row.shift, got, row.want)
		}
	}
}

func TestTotalOfBadShift(t *testing.T) {
	if _, err := TotalMinutes([]string{"09:00-10:00", "25:00-26:00"}); err == nil {
		t.Error("TotalMinutes() with a bad shift returned no error")
	}
}
