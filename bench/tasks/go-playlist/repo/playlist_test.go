package playlist

import "testing"

func TestLengthOfTwoTracks(t *testing.T) {
	p := &Playlist{}
	p.Add("First", 180, 1)
	p.Add("Second", 65, 1)
	if got := p.Length(); got != 245 {
		t.Errorf("Length() of tracks with 180 and 65 seconds = %d, want 245", got)
	}
	if got := p.Clock(); got != "4:05" {
		t.Errorf("Clock() of tracks with 180 and 65 seconds = %q, want %q", got, "4:05")
	}
}
