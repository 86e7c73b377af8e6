package streaming

import (
	"os"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Rows are those of all vertices: inputs, and what stages store. They lie in a file.
type Rows struct {
	memory *arena.Arena
	inputs map[string]grid.Rows
	values []map[*dataflow.Value]grid.Rows // of each pass, what it stores
}

// NewRows makes room for the inputs of a network, whose tensors say how much they have, and for what passes store. What
// is stored once has a place of its own; else a pass may write over what another has left.
//
// Errors: *store.DiskFullError.
func NewRows(network *plugins.Network, tensors []plugins.Tensor, passes []Stages, vertices uint64) (*Rows, error) {
	var p plan.Placer
	tensor := make([]plugins.Tensor, len(tensors))
	for i, t := range tensors {
		tensor[i] = plugins.Tensor{Name: t.Name, Numbers: p.Place(t.Numbers.Length)}
		if t.Offsets != (arena.Range{}) {
			tensor[i].Offsets, tensor[i].Columns = p.Place(t.Offsets.Length), p.Place(t.Columns.Length)
		}
	}
	places := make([]map[*dataflow.Value]arena.Range, len(passes))
	stored := func(i int, stages []grid.Stage) {
		for _, stage := range stages {
			for _, v := range stage.Stored {
				places[i][v] = p.Place(4 * vertices * uint64(v.Width))
			}
		}
	}
	for i, pass := range passes {
		places[i] = map[*dataflow.Value]arena.Range{}
		stored(i, pass.Once)
	}
	from, end := p.Used, p.Used
	for i, pass := range passes {
		p.Used = from
		stored(i, pass.Epoch)
		end = max(end, p.Used)
	}
	memory, err := arena.CreateOnDisk("", end)
	if err != nil {
		return nil, store.DiskFull(os.TempDir(), err)
	}
	r := &Rows{memory: memory, inputs: map[string]grid.Rows{}}
	if err := r.view(tensor, places); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// view finds everything where it is.
func (r *Rows) view(tensors []plugins.Tensor, places []map[*dataflow.Value]arena.Range) (err error) {
	for _, t := range tensors {
		rows := grid.Rows{}
		if rows.Numbers, err = r.memory.Float32s(t.Numbers); err == nil && t.Offsets != (arena.Range{}) {
			if rows.Offsets, err = r.memory.Int64s(t.Offsets); err == nil {
				rows.Columns, err = r.memory.Uint32s(t.Columns)
			}
		}
		if err != nil {
			return err
		}
		r.inputs[t.Name] = rows
	}
	for _, values := range places {
		all := map[*dataflow.Value]grid.Rows{}
		for v, at := range values {
			numbers, err := r.memory.Float32s(at)
			if err != nil {
				return err
			}
			all[v] = grid.Rows{Numbers: numbers}
		}
		r.values = append(r.values, all)
	}
	return nil
}

// Close gives the file up.
func (r *Rows) Close() {
	if r != nil {
		r.memory.Close()
	}
}

// Size is what the file takes.
func (r *Rows) Size() uint64 { return r.memory.Size() }

// Input is where an input lies.
func (r *Rows) Input(name string) grid.Rows { return r.inputs[name] }

// Of is where a pass reads a value, or stores it.
func (r *Rows) Of(pass int, v *dataflow.Value) grid.Rows {
	if v.Op == dataflow.Input {
		return r.inputs[v.Name]
	}
	return r.values[pass][v]
}

// Entries is how many numbers vertices have of an input that is stored sparse.
func (r *Rows) Entries(v *dataflow.Value, from, to uint64) int64 {
	offsets := r.inputs[v.Name].Offsets
	return offsets[to] - offsets[from]
}

// load copies an interval of rows to their places in a region, and tells how many bytes that were.
func load(rows grid.Rows, width int, of chunk.Interval, to grid.Rows) (bytes uint64) {
	switch {
	case to.Offsets != nil:
		first := rows.Offsets[of.Base]
		for i := range to.Offsets {
			to.Offsets[i] = rows.Offsets[of.Base+uint64(i)] - first
		}
		last := first + int64(len(to.Numbers))
		copy(to.Columns, rows.Columns[first:last])
		copy(to.Numbers, rows.Numbers[first:last])
		return 8*uint64(len(to.Offsets)) + 8*uint64(len(to.Numbers))
	case rows.Offsets != nil:
		for i := range of.Count {
			spread(rows, of.Base+i, to.Numbers[i*uint64(width):(i+1)*uint64(width)])
		}
	default:
		from := rows.Numbers[of.Base*uint64(width) : of.End()*uint64(width)]
		willNeed(from)
		copy(to.Numbers, from)
	}
	return 4 * uint64(len(to.Numbers))
}

// leastNeeded is how many bytes the system is asked for together, at least: fewer are read as they are touched.
const leastNeeded = 64 << 10

// willNeed has the system read rows that are not in memory.
func willNeed(rows []float32) {
	if size := 4 * len(rows); size >= leastNeeded {
		pages.WillNeed(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), size))
	}
}

// spread writes all numbers of a sparse row.
func spread(rows grid.Rows, v uint64, to []float32) {
	clear(to)
	for e := rows.Offsets[v]; e < rows.Offsets[v+1]; e++ {
		to[rows.Columns[e]] += rows.Numbers[e]
	}
}

// loadSome copies the rows of some vertices, in ascending order: those that follow each other together.
func loadSome(rows grid.Rows, width int, vertices []uint32, to []float32) (bytes uint64) {
	for i := 0; i < len(vertices); {
		n := 1
		for i+n < len(vertices) && vertices[i+n] == vertices[i]+uint32(n) {
			n++
		}
		load(rows, width, chunk.Interval{Base: uint64(vertices[i]), Count: uint64(n)},
			grid.Rows{Numbers: to[i*width : (i+n)*width]})
		i += n
	}
	return 4 * uint64(len(to))
}

// unload copies an interval of rows out of a region.
func unload(from []float32, width int, of chunk.Interval, rows grid.Rows) (bytes uint64) {
	copy(rows.Numbers[of.Base*uint64(width):], from)
	return 4 * uint64(len(from))
}
