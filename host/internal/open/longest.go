package open

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// longestLists are those that have been looked for, by the directions that they are of.
type longestLists map[string]plan.LongestList

// longest is the vertex with the most edges in some directions. It is looked for once.
func (o *Opened) longest(directions []chunk.Direction) (plan.LongestList, error) {
	key := string(directions) // a byte each
	if l, known := o.lists[key]; known {
		return l, nil
	}
	l, err := o.findLongest(directions)
	if err == nil {
		o.lists[key] = l
	}
	return l, err
}

// findLongest takes 4 bytes a vertex and direction while it looks.
func (o *Opened) findLongest(directions []chunk.Direction) (l plan.LongestList, err error) {
	total := make([]uint32, o.Snap.Manifest().Vertices)
	degrees := make([]uint32, len(total))
	for _, d := range directions {
		if err := o.Snap.Degrees(o.ctx, d, degrees); err != nil {
			return l, err
		}
		for v, n := range degrees {
			total[v] += n
		}
	}
	at := 0
	for v, n := range total {
		if n > total[at] {
			at = v
		}
	}
	if len(total) == 0 || total[at] == 0 {
		return l, nil
	}
	l.Edges = uint64(total[at])
	ids, err := o.Snap.UserIDs(o.ctx, uint64(at), uint64(at)+1)
	if err == nil {
		l.Vertex = ids.Text(0)
	}
	return l, err
}
