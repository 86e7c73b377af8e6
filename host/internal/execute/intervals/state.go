package intervals

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins/arena"
)

// column is one of the vertices' columns: of all, in the scratch arena.
type column struct {
	width     uint64 // bytes of a value
	sent      bool   // messages are made of it
	now, next []byte // of all; an input has no next, and in place nothing has
}

// state is that of all vertices: of the last iteration, which nobody writes, and of the next, of which each interval is
// written by whom it belongs to. In place there is one for both, in which an interval is written when nobody reads.
// Intervals begin at whole words of sets.
type state struct {
	vertices  uint64 // of all
	each      uint64 // of an interval
	columns   []column
	inputs    int // so many columns, the first
	first     algorithms.Type
	always    bool // every vertex sends in every iteration
	inPlace   bool
	now, next []uint64 // active sets of all
	fresh     bool     // the first iteration: of who is active nobody has sent anything
}

// newState maps it.
func newState(p *plan.Plan, all *arena.Arena) (*state, error) {
	v, now := p.Intervals, p.Task.Layout
	s := &state{inPlace: v.Settles, vertices: p.Graph.Manifest().Vertices, each: v.Vertices, inputs: p.Inputs(),
		first: p.Task.Program.State[0].Type, always: p.Task.Program.Activity == algorithms.Always}
	var err error
	bytes := func(a *arena.Arena, at arena.Range) (b []byte) {
		if err == nil {
			b, err = a.Bytes(at)
		}
		return b
	}
	words := func(a *arena.Arena, at arena.Range) (w []uint64) {
		if err == nil {
			w, err = a.Uint64s(at)
		}
		return w
	}
	for i, c := range now.Columns {
		each := column{sent: slices.Contains(v.Program.Sent, c.Name), width: plan.Width(c.Type),
			now: bytes(all, c.Range)}
		if i >= s.inputs && !s.inPlace {
			each.next = bytes(all, v.Next.Columns[i-s.inputs].Range)
		}
		s.columns = append(s.columns, each)
	}
	s.now, s.next = words(all, now.Active), words(all, v.Next.Active)
	return s, err
}

// need has the system read an interval of all together, where not all of it is in memory: page by page takes long.
func (c column) need(of []byte, i chunk.Interval) {
	pages.WillNeed(of[i.Base*c.width : i.End()*c.width])
}

// into is where the next state of an interval is written.
func (c column) into(i chunk.Interval) []byte {
	of := c.next
	if of == nil {
		of = c.now
	}
	c.need(of, i)
	return of[i.Base*c.width : i.End()*c.width]
}

// expect has the system read what is sent of vertices, in ascending order, unless they lie so far apart that some pages
// between them have none.
func (s *state) expect(vertices []uint64) {
	if len(vertices) == 0 {
		return
	}
	between := chunk.Interval{Base: vertices[0], Count: vertices[len(vertices)-1] + 1 - vertices[0]}
	for _, c := range s.columns {
		if c.sent && uint64(len(vertices))*page >= between.Count*c.width {
			c.need(c.now, between)
		}
	}
}

// page is how much memory most systems read at least.
const page = 4096

// leave has an interval's next state be the last one, with no vertex active.
func (s *state) leave(i chunk.Interval) {
	for _, c := range s.columns[s.inputs:] {
		if !s.inPlace {
			copy(c.next[i.Base*c.width:i.End()*c.width], c.now[i.Base*c.width:])
		}
	}
	clear(s.next[i.Base/64 : (i.End()+63)/64])
	s.written(i)
}

// written has the columns that follow read who of an interval is active that has been written in place. In the first
// iteration those are still who were so before.
func (s *state) written(i chunk.Interval) {
	for w := i.Base / 64; s.inPlace && w < (i.End()+63)/64; w++ {
		if !s.fresh {
			s.now[w] = 0
		}
		s.now[w] |= s.next[w]
	}
}

// turn has the next state be the last one.
func (s *state) turn() {
	for k := range s.columns[s.inputs:] {
		if c := &s.columns[s.inputs+k]; !s.inPlace {
			c.now, c.next = c.next, c.now
		}
	}
	s.now, s.next = s.next, s.now
}

// arrange has the last state be where the plan's layout says. After every other turn it is there.
func (s *state) arrange(turns int) {
	if turns%2 == 0 {
		return
	}
	for _, c := range s.columns[s.inputs:] {
		if !s.inPlace {
			copy(c.next, c.now)
		}
	}
	copy(s.next, s.now)
}

// change is how far the first column of an interval has moved to its next state, by a norm.
func (s *state) change(i chunk.Interval, next []byte, norm algorithms.Norm) (all float64) {
	c := s.columns[s.inputs]
	for v := range i.Count {
		before, after := number(c.now, s.first, i.Base+v), number(next, s.first, v)
		switch {
		case before == after:
		case norm == algorithms.LInf:
			all = max(all, math.Abs(after-before))
		default:
			all += math.Abs(after - before)
		}
	}
	return all
}

// number is a value of a column as one that can be compared with others.
func number(column []byte, t algorithms.Type, v uint64) float64 {
	if t == algorithms.Bool {
		return float64(column[v])
	}
	word := binary.NativeEndian.Uint64(column[8*v:])
	if t == algorithms.Float {
		return math.Float64frombits(word)
	}
	return float64(int64(word))
}

func count(words []uint64) (n uint64) {
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// entire tells whether all vertices send to a column, or none does. Its sums begin anew then, and who is active is who
// has changed, in the beginning from 0.
func (s *state) entire() bool { return s.always && s.inPlace }

// sends tells whether a vertex sends to a column that does not rest.
func (s *state) sends(v uint64) bool { return s.entire() || s.now[v/64]>>(v%64)&1 != 0 }

// someSend tells whether one of an interval does.
func (s *state) someSend(i chunk.Interval) bool { return s.entire() || s.someActive(i) }

// someActive tells whether an interval has an active vertex.
func (s *state) someActive(i chunk.Interval) bool {
	first, last := i.Base/64, (i.End()-1)/64
	for w := first; w <= last; w++ {
		word := s.now[w]
		if w == first {
			word &= ^uint64(0) << (i.Base % 64)
		}
		if w == last {
			word &= ^uint64(0) >> (63 - (i.End()-1)%64)
		}
		if word != 0 {
			return true
		}
	}
	return false
}

// bytes is what an interval takes on a link.
func (s *state) bytes(i chunk.Interval) (n uint64) {
	for _, c := range s.columns {
		n += c.width * i.Count
	}
	return n
}

// sourceBytes is what a source takes that is sent.
func (s *state) sourceBytes() (n uint64) {
	for _, c := range s.columns {
		if c.sent {
			n += c.width
		}
	}
	return n
}
