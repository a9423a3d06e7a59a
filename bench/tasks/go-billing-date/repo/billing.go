// Package billing computes the days on which subscriptions are charged.
package billing

import "time"

// Subscription is charged on the day of its start and then every Months months.
type Subscription struct {
	Start  time.Time // midnight, UTC
	Months int       // 1 is monthly, 12 is yearly
}

// Charge returns the day of charge number n; number 0 is the start. It has the same day of
// the month as the start. A month without such a day is charged on its last day.
func (s Subscription) Charge(n int) time.Time {
	return s.Start.AddDate(0, n*s.Months, 0)
}

// NextAfter returns the first charge after a day.
func (s Subscription) NextAfter(day time.Time) time.Time {
	n := 0
	for !s.Charge(n).After(day) {
		n++
	}
	return s.Charge(n)
}
