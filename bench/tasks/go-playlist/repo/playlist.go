// Package playlist keeps tracks in the order in which they are played.
package playlist

import "fmt"

// Track is one entry of a playlist. It is played Plays times in a row.
type Track struct {
	Title   string
	Seconds int
	Plays   int
}

// Playlist is a list of tracks. The zero value is empty.
type Playlist struct {
	tracks []Track
}

// Add appends a track. A track that is never played is not added.
func (p *Playlist) Add(title string, seconds, plays int) {
	if plays < 1 {
		return
	}
	p.tracks = append(p.tracks, Track{Title: title, Seconds: seconds, Plays: plays})
}

// Length returns the seconds that the whole playlist takes.
func (p *Playlist) Length() int {
	total := 0
	for _, track := range p.tracks {
		total = track.Seconds * track.Plays
	}
	return total
}

// Clock returns the length as minutes and seconds, such as "4:05".
func (p *Playlist) Clock() string {
	length := p.Length()
	return fmt.Sprintf("%d:%02d", length/60, length%60)
}
