package drive

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// VertexRoom is what a chunk's header grows by, at most, when its rows are named.
const VertexRoom = 1 << 10

// activeRows is the chunk of those rows of a chunk that are active, or of what stands there at places.
func activeRows(t testing.TB, encoded []byte, active []uint64, places chunk.Places) []byte {
	t.Helper()
	c, err := chunk.Open(encoded)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	part, err := cut.Join(cut.Select(c, active, 0, places))
	if err != nil {
		t.Fatal(err)
	}
	dst := chunk.Aligned(part.EncodedSize())
	if _, err := part.EncodeTo(dst, 1); err != nil {
		t.Fatal(err)
	}
	return dst
}

// settle takes some rows of every chunk at a time, and has them settle before it takes the
// next, until nobody is active. A pass over all does at least what an iteration does, so
// that more of them than the program's bound show that it diverges.
func (rig *Rig) settle() (plugins.Iteration, error) {
	rig.t.Helper()
	switch {
	case rig.Plan.Nearest:
		return rig.settleNearest()
	case rig.Mode.Sorted != nil:
		return settleSorted(rig)
	case rig.Task.Program.Order == algorithms.Synchronous:
		return plugins.Iteration{}, plugins.Errorf(plugins.KindUnsupported, "it settles in topological order alone")
	}
	it, err := rig.Init()
	bound := rig.Task.Program.Bound(uint64(rig.Graph.N()))
	pass := 0
	for ; err == nil && it.Active > 0 && pass <= bound; pass++ {
		it, err = rig.SettlePass(it, pass)
	}
	it.Number = min(pass, bound)
	return it, err
}

// SettlePass has all rows settle, some after the others.
func (rig *Rig) SettlePass(it plugins.Iteration, pass int) (plugins.Iteration, error) {
	rig.t.Helper()
	var err error
	third := uint64(rig.Graph.N()+2) / 3
	for base := uint64(0); base < uint64(rig.Graph.N()) && err == nil; base += third {
		it, err = rig.settleSet(rig.choose(chunk.Interval{Base: base, Count: third}, 0), uint32(pass%3))
	}
	return it, err
}

// choose writes the vertices of an interval that are active, or among others, where a Settle finds its set.
func (rig *Rig) choose(rows chunk.Interval, others uint64) arena.Range {
	set := rig.State.Bitmap(rig.Room.Set)
	for i, word := range rig.State.Active() {
		set[i] = 0
		for bit := range uint64(64) {
			if v := uint64(i)*64 + bit; v >= rows.Base && v < rows.End() {
				set[i] |= (word | others) & (1 << bit)
			}
		}
	}
	return rig.Room.Set
}

// settleSet settles a set of vertices, with their lists.
func (rig *Rig) settleSet(set arena.Range, rounds uint32) (plugins.Iteration, error) {
	rig.t.Helper()
	var commands []plugins.Command
	for i := range rig.Chunks {
		commands = append(commands, rig.Upload(i))
	}
	commands = append(commands, plugins.Command{Op: plugins.Settle, At: set, Rounds: rounds})
	settled := len(commands) - 1
	for i := range rig.Chunks {
		commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: uint32(i)})
	}
	answers, err := rig.Talk.Exchange(commands...)
	if err != nil {
		return plugins.Iteration{}, err
	}
	told := answers[settled].Iterations
	if len(told) == 0 {
		rig.t.Fatal("Settle told of no iteration")
	}
	it := told[len(told)-1]
	if it.Converged != (it.Active == 0) {
		rig.t.Errorf("Settle says of %d active vertices: converged %v", it.Active, it.Converged)
	}
	rig.Check(it)
	return it, nil
}
