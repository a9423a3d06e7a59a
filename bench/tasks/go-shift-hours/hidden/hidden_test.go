package roster

import "testing"

func TestHiddenPaidMinutes(t *testing.T) {
	rows := []struct {
		shift string
		want  int
	}{
		{"00:00-00:01", 1},
		{"08:00-14:00", 360},
		{"08:00-14:01", 331},
		{"08:00-17:00", 510},
		{"08:00-17:01", 496},
		{"22:00-04:00", 360},
		{"22:00-06:00", 450},
		{"20:00-06:30", 585},
		{"23:59-00:00", 1},
		{"12:00-11:59", 1394},
		{"00:00-00:00", 1395},
		{"07:30-07:30", 1395},
		{"00:00-23:59", 1394},
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

func TestHiddenTotal(t *testing.T) {
	got, err := TotalMinutes([]string{"22:00-06:00", "09:00-12:00", "18:00-18:00"})
	if err != nil || got != 450+180+1395 {
		t.Errorf("TotalMinutes() = %d, %v, want %d", got, err, 450+180+1395)
	}
	if got, err := TotalMinutes(nil); got != 0 || err != nil {
		t.Errorf("TotalMinutes(nil) = %d, %v, want 0", got, err)
	}
}
