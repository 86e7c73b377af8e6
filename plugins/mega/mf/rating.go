package mf

import (
	"math"

	"github.com/penstock-db/penstock/plugins/mega"
)

// Rating is what an edge has. Its last bit says whether it is held out; that much of a rating is lost.
type Rating uint32

// Of is a rating, held out or not.
func Of(value float32, held bool) Rating {
	bits := math.Float32bits(value) &^ 1
	if held {
		bits |= 1
	}
	return Rating(bits)
}

// Value is the rating as it is learned.
func (r Rating) Value() float32 { return math.Float32frombits(uint32(r) &^ 1) }

// Held says whether the rating is held out, to see by it what the model says of those that it has not learned.
func (r Rating) Held() bool { return r&1 != 0 }

// HoldLast has the ratings of a user that are held out come last, so that kernels go along the others at once.
func HoldLast(g *mega.Graph[Rating]) {
	for u := range g.Lefts() {
		next := g.Offsets[u]
		for i := next; i < g.Offsets[u+1]; i++ {
			if g.Edges[i].Held() {
				continue
			}
			g.Edges[i], g.Edges[next] = g.Edges[next], g.Edges[i]
			g.Targets[i], g.Targets[next] = g.Targets[next], g.Targets[i]
			next++
		}
	}
}
