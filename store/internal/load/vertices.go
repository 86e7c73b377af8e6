package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
)

// vertices are the vertices as they are read. Each has a number, in the order in which they are met, and its degrees.
type vertices struct {
	ids      *idTable
	closed   bool   // edges may name declared nodes only
	declared uint32 // nodes that were declared; the numbers after them were met in edges
	degrees  degrees
}

func newVertices(closed, directed bool) *vertices {
	return &vertices{ids: newIDTable(), closed: closed, degrees: degrees{directed: directed}}
}

// declare numbers the nodes of a batch and returns the first number.
func (v *vertices) declare(b *formats.NodeBatch) (first int, err error) {
	first = v.ids.len()
	for i := range b.ID.Len() {
		n, text := b.ID.At(i)
		if err := checkID(n, text, b.Where, i); err != nil {
			return first, err
		}
		if _, fresh := v.ids.number(n, text); !fresh {
			return first, &formats.ParseError{
				Position: b.Where(i),
				Found:    fmt.Sprintf("node %s is declared a second time", shown(b.ID.Text(i))),
				Expected: "each node once",
			}
		}
	}
	return first, v.checkCount()
}

// checkCount refuses more vertices than a graph can have.
func (v *vertices) checkCount() error {
	if n := v.ids.len(); n > manifest.MaxVertices {
		return &failure.TooLargeError{What: "vertices", Size: uint64(n), Limit: manifest.MaxVertices}
	}
	return nil
}

// end is the number of one end of an edge.
func (v *vertices) end(b *formats.EdgeBatch, ids formats.IDs, i int) (uint32, error) {
	n, text := ids.At(i)
	if v.closed {
		number, ok := v.ids.find(n, text)
		if !ok {
			return 0, &formats.ParseError{
				Position: b.Where(i),
				Found: fmt.Sprintf("edge %s → %s names node %s, which is not declared",
					shown(b.Src.Text(i)), shown(b.Dst.Text(i)), shown(ids.Text(i))),
				Expected: "only nodes of the node files",
			}
		}
		return number, nil
	}
	if err := checkID(n, text, b.Where, i); err != nil {
		return 0, err
	}
	number, _ := v.ids.number(n, text)
	return number, nil
}

// checkNumbers refuses a batch that numbers an end as no declared node is.
func (v *vertices) checkNumbers(b *formats.EdgeBatch) error {
	for _, numbers := range [][]int64{b.SrcNumbers, b.DstNumbers} {
		for i, n := range numbers {
			if uint64(n) >= uint64(v.declared) {
				return &formats.ParseError{Position: b.Where(i), Found: fmt.Sprintf("an edge of node number %d", n),
					Expected: fmt.Sprintf("numbers below %d, of declared nodes", v.declared)}
			}
		}
	}
	return nil
}

// count adds an edge between two vertices, which may be new, to the degrees.
func (v *vertices) count(source, target uint32) {
	v.degrees.grow(v.ids.len())
	v.degrees.count(source, target)
}

// bytes is what is held of vertices while the input is read, and while the degrees grow.
func (v *vertices) bytes() int64 { return v.ids.bytes() + v.degrees.bytes(v.ids.len()) }

// exists tells whether a number is of a vertex: of the integers that idTable covers, some may be named by nothing.
func (v *vertices) exists(number uint32) bool { return number < v.declared || v.degrees.of(number) > 0 }

// named is how many vertices there are.
func (v *vertices) named() (n int64) {
	for number := range uint32(v.ids.len()) {
		if v.exists(number) {
			n++
		}
	}
	return n
}

// assign gives the declared vertices their numbers as dense ids, and those that edges brought into being the
// ones after them, by ascending user id. Degrees are by dense id from then on. loaded is as in places.
func (v *vertices) assign(loaded []uint32) *places {
	n := v.ids.len()
	v.ids.forget()
	v.degrees.grow(n)
	met := make([]uint32, 0, n-int(v.declared))
	for number := v.declared; number < uint32(n); number++ {
		if v.exists(number) {
			met = append(met, number)
		}
	}
	order := slices.Concat(ordering.Identity(v.declared), v.ids.ascending(met))
	p := &places{ids: v.ids, count: uint64(len(order)), loaded: loaded}
	if len(order) == n && slices.IsSorted(order) {
		return p
	}
	p.order, p.dense = order, ordering.Inverse(order, n)
	v.degrees.permute(order)
	return p
}

// checkID refuses ids that cannot be stored; where is asked with row for the place.
func checkID(n int64, text string, where func(int) formats.Position, row int) error {
	switch {
	case n < 0:
		return &formats.ParseError{
			Position: where(row), Found: fmt.Sprintf("vertex id %d", n),
			Expected: "an integer from 0 to 9223372036854775807 or a string",
		}
	case len(text) > formats.MaxID:
		return formats.LongID(where(row))
	}
	return nil
}

// shown is an id in an error, cut where it is too long to read.
func shown(id string) string {
	const most = 60
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "…"
}
