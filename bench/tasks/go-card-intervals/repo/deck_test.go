package cards

import "testing"

func TestIntervalDoubles(t *testing.T) {
	deck := Deck{First: 1, Longest: 10}
	for streak, want := range []int{1, 2, 4, 8, 10} {
		if got := deck.Interval(streak); got != want {
			t.Errorf("Interval(%d) = %d, want %d", streak, got, want)
		}
	}
}

func TestWrongAnswer(t *testing.T) {
	deck := Deck{First: 1, Longest: 10}
	card := &Card{Streak: 3}
	if got := deck.Review(card, false, 100); got != 101 || card.Streak != 0 {
		t.Errorf("Review(wrong answer) = %d with streak %d, want 101 with streak 0", got, card.Streak)
	}
}
