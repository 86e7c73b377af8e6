package als

import (
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/plugins/mega/mf"
)

// The sets of left vertices.
const (
	users = iota
	items
)

// own is the value of a vertex's edge to itself. No rating is NaN.
const own = mf.Rating(0xffc00000)

// Changes says whether a vertex is solved at the edge, and so its row changed: at that to itself.
func Changes(r *mf.Rating) bool { return *r == own }

// Joined is a graph in which users and items are vertices of one kind, so that either side can be scanned. Each is on
// the left with its edges, and on the right, by the same number, with its row. A vertex has, in this order, the edges:
//
//	ratings that are learned from │ one to the vertex itself, whose value is own │ ratings that are held out
//
// so that equations are gathered, solved, and their solution is judged, in one pass.
type Joined struct {
	mega.Graph[mf.Rating]
	Users, Items  []uint32 // the vertex of each
	learned, held int      // ratings
}

// Join makes it of ratings by user. The sides are merged so that up to any vertex about as many edges are of users as
// of items: a partition, which is a range of vertices, then has as much to do in a scan of either.
func Join(g *mega.Graph[mf.Rating]) *Joined {
	j := &Joined{Users: make([]uint32, g.Lefts()), Items: make([]uint32, g.Rights)}
	degrees := make([]int64, g.Rights)
	for _, v := range g.Targets {
		degrees[v]++
	}
	j.number(g.Offsets, degrees)
	j.fill(g)
	return j
}

// number numbers the vertices, and says where the edges of each begin.
func (j *Joined) number(offsets, degrees []int64) {
	var ofUsers, ofItems int64 // edges of those that have a number
	u, v, n := 0, 0, len(j.Users)+len(j.Items)
	j.Rights, j.Offsets, j.Sets = n, make([]int64, n+1), make([]uint8, n)
	for x := range n {
		degree := int64(1) // the edge to itself
		if u < len(j.Users) && (ofUsers <= ofItems || v == len(j.Items)) {
			degree += offsets[u+1] - offsets[u]
			j.Users[u], j.Sets[x] = uint32(x), users
			ofUsers += degree
			u++
		} else {
			degree += degrees[v]
			j.Items[v], j.Sets[x] = uint32(x), items
			ofItems += degree
			v++
		}
		j.Offsets[x+1] = j.Offsets[x] + degree
	}
}

// fill brings the edges to both of their ends, from the front those that are learned from, from the back the others.
func (j *Joined) fill(g *mega.Graph[mf.Rating]) {
	j.Targets, j.Edges = make([]uint32, j.Offsets[j.Rights]), make([]mf.Rating, j.Offsets[j.Rights])
	front, back := append([]int64{}, j.Offsets[:j.Rights]...), append([]int64{}, j.Offsets[1:]...)
	add := func(x, y uint32, r mf.Rating) {
		at := front[x]
		if r.Held() {
			back[x]--
			at = back[x]
		} else {
			front[x]++
		}
		j.Targets[at], j.Edges[at] = y, r
	}
	for u, x := range j.Users {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			y, r := j.Items[g.Targets[i]], g.Edges[i]
			if r.Held() {
				j.held++
			} else {
				j.learned++
			}
			add(x, y, r)
			add(y, x, r)
		}
	}
	for x, at := range front {
		j.Targets[at], j.Edges[at] = uint32(x), own
	}
}
