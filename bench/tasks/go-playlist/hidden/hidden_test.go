package playlist

import "testing"

func TestHiddenLength(t *testing.T) {
	rows := []struct {
		name   string
		tracks []Track
		length int
		clock  string
	}{
		{"empty", nil, 0, "0:00"},
		{"one track", []Track{{"a", 59, 1}}, 59, "0:59"},
		{"repeated track", []Track{{"a", 30, 4}}, 120, "2:00"},
		{"two tracks", []Track{{"a", 180, 1}, {"b", 65, 1}}, 245, "4:05"},
		{"three tracks, repeated", []Track{{"a", 10, 2}, {"b", 20, 3}, {"c", 5, 1}}, 85, "1:25"},
		{"never played", []Track{{"a", 10, 0}, {"b", 7, 1}}, 7, "0:07"},
	}
	for _, row := range rows {
		p := &Playlist{}
		for _, track := range row.tracks {
			p.Add(track.Title, track.Seconds, track.Plays)
		}
		if got := p.Length(); got != row.length {
			t.Errorf("%s: Length() = %d, want %d", row.name, got, row.length)
		}
		if got := p.Clock(); got != row.clock {
			t.Errorf("%s: Clock() = %q, want %q", row.name, got, row.clock)
		}
	}
}
