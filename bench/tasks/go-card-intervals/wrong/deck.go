// Package cards plans the reviews of flash cards. Days are plain numbers.
package cards

import "math"

// Deck has the settings that all its cards share.
type Deck struct {
	First   int // days until the first review
	Longest int // no interval is longer
}

// Card is one card of a deck.
type Card struct {
	Streak int // right answers since the last wrong one
	Due    int // the day of the next review
}

// Interval returns the days until the next review of a card with a streak of right answers
// before this one. Without a streak it is First. Each further right answer doubles it, up to
// Longest.
func (d Deck) Interval(streak int) int {
	days := float64(d.First) * math.Pow(float64(streak+1), 2)
	if days > float64(d.Longest) {
		return d.Longest
	}
	return int(days)
}

// Review records an answer and returns the day of the next review. After a wrong answer the
// card is due on the next day, and its streak starts again.
func (d Deck) Review(card *Card, right bool, today int) int {
	if right {
		card.Due = today + d.Interval(card.Streak)
		card.Streak++
	} else {
		card.Due = today + 1
		card.Streak = 0
	}
	return card.Due
}
