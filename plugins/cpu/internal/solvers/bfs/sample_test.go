package bfs

import "testing"

// The sample is about one vertex in sampledBy, and lies in few places: a host that has to read a chunk for one of its
// lists reads few chunks.
func TestSampled(t *testing.T) {
	for words := 17; words < 20_000; words += 1 + words/7 {
		count, places := 0, 0
		for word := range words {
			if sampled(word, words) {
				count++
				if word == 0 || !sampled(word-1, words) {
					places++
				}
			}
		}
		if places < sampledParts || places > sampledParts*words/(words/sampledParts*sampledParts)+2 {
			t.Errorf("%d words: %d places", words, places)
		}
		if words >= sampledParts*sampledBy && (count*sampledBy < words/2 || count*sampledBy > 2*words) {
			t.Errorf("%d words: %d are asked", words, count)
		}
	}
}
