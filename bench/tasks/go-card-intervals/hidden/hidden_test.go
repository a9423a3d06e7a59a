package cards

import "testing"

func TestHiddenInterval(t *testing.T) {
	deck := Deck{First: 3, Longest: 2000}
	days := 3
	for streak := 0; streak <= 9; streak++ {
		if got := deck.Interval(streak); got != days {
			t.Errorf("Interval(%d) with First 3 = %d, want %d", streak, got, days)
		}
		days *= 2
	}
	for _, streak := range []int{10, 11, 62, 63, 64, 500, 5000} {
		if got := deck.Interval(streak); got != 2000 {
			t.Errorf("Interval(%d) with First 3 = %d, want 2000", streak, got)
		}
	}
	deck = Deck{First: 30, Longest: 20}
	if got := deck.Interval(0); got != 20 {
		t.Errorf("Interval(0) with First over Longest = %d, want 20", got)
	}
}

func TestHiddenReview(t *testing.T) {
	deck := Deck{First: 2, Longest: 15}
	card := &Card{}
	steps := []struct {
		right bool
		want  int
	}{
		{true, 2}, {true, 6}, {true, 14}, {true, 29}, {true, 44}, {false, 45}, {true, 47}, {true, 51},
	}
	today := 0
	for i, step := range steps {
		got := deck.Review(card, step.right, today)
		if got != step.want {
			t.Fatalf("step %d: Review() on day %d = %d, want %d", i, today, got, step.want)
		}
		today = got
	}
}
