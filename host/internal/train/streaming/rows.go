package streaming

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/unnamed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Rows are those of all vertices: inputs, and what stages store. They lie in a file without a name, which is read and
// written interval by interval.
type Rows struct {
	file     *os.File
	size     int64
	vertices uint64
	inputs   map[string]*tensor
	values   []map[*dataflow.Value]*tensor // of each pass, what it stores
}

// tensor is where the rows of a value are.
type tensor struct {
	numbers int64
	columns int64
	offsets []int64 // of sparse rows, where those of each vertex begin in numbers and columns; nil: all numbers are there
}

// NewRows makes room for the inputs of a network, whose tensors say how much they have, and for what passes store. What
// is stored once has a place of its own; else a pass may write over what another has left.
func NewRows(tensors []plugins.Tensor, passes []Stages, vertices uint64) (*Rows, error) {
	r := &Rows{vertices: vertices, inputs: map[string]*tensor{}}
	for _, t := range tensors {
		at := &tensor{numbers: r.place(t.Numbers.Length)}
		if t.Offsets != (arena.Range{}) {
			at.offsets, at.columns = make([]int64, vertices+1), r.place(t.Columns.Length)
		}
		r.inputs[t.Name] = at
	}
	stored := func(i int, stages []grid.Stage) {
		for _, stage := range stages {
			for _, v := range stage.Stored {
				r.values[i][v] = &tensor{numbers: r.place(4 * vertices * uint64(v.Width))}
			}
		}
	}
	for i, pass := range passes {
		r.values = append(r.values, map[*dataflow.Value]*tensor{})
		stored(i, pass.Once)
	}
	from, end := r.size, r.size
	for i, pass := range passes {
		r.size = from
		stored(i, pass.Epoch)
		end = max(end, r.size)
	}
	r.size = end
	var err error
	if r.file, err = newFile(); err != nil {
		return nil, err
	}
	if err := r.file.Truncate(r.size); err != nil {
		r.Close()
		return nil, scratchError(err)
	}
	return r, nil
}

// place takes so many bytes of the file.
func (r *Rows) place(bytes uint64) (at int64) {
	at = r.size
	r.size += int64(bytes)
	return at
}

// newFile makes a file that is gone when it is closed.
func newFile() (*os.File, error) {
	file, err := unnamed.File("penstock-pieces-*")
	if err != nil {
		return nil, scratchError(err)
	}
	return file, nil
}

// scratchError says that temporary files are at fault: with a *store.DiskFullError where the disk is full.
func scratchError(err error) error {
	return fmt.Errorf("temporary files of a network that does not fit the device, in %s or where TMPDIR says: %w",
		os.TempDir(), store.DiskFull(os.TempDir(), err))
}

// Close gives the file up.
func (r *Rows) Close() {
	if r != nil && r.file != nil {
		r.file.Close()
	}
}

// Size is what the file takes.
func (r *Rows) Size() uint64 { return uint64(r.size) }

// of is where a pass reads a value, or stores it.
func (r *Rows) of(pass int, v *dataflow.Value) *tensor {
	if v.Op == dataflow.Input {
		return r.inputs[v.Name]
	}
	return r.values[pass][v]
}

// All reads the rows of all vertices that a pass has stored.
func (r *Rows) All(pass int, v *dataflow.Value, to []float32) error {
	return r.read(to, r.of(pass, v).numbers)
}

// Entries is how many numbers vertices have of an input that is stored sparse.
func (r *Rows) Entries(v *dataflow.Value, from, to uint64) int64 {
	offsets := r.inputs[v.Name].offsets
	return offsets[to] - offsets[from]
}

// Input writes the rows of an input, one vertex after the other; each calls put for each of them, with places where
// the input is sparse.
func (r *Rows) Input(name string, each func(put func(v uint64, numbers []float32, places []uint32) error) error) error {
	t := r.inputs[name]
	numbers, columns := r.writer(t.numbers), r.writer(t.columns)
	err := each(func(v uint64, row []float32, places []uint32) error {
		_, err := numbers.Write(bytesOf(row))
		if t.offsets != nil && err == nil {
			t.offsets[v+1] = t.offsets[v] + int64(len(row))
			_, err = columns.Write(bytesOf(places))
		}
		if err != nil {
			return scratchError(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range []*bufio.Writer{numbers, columns} {
		if err := w.Flush(); err != nil {
			return scratchError(err)
		}
	}
	return nil
}

// writer writes to the file from a place on.
func (r *Rows) writer(at int64) *bufio.Writer {
	return bufio.NewWriterSize(io.NewOffsetWriter(r.file, at), 1<<20)
}

// bytesOf is the memory of numbers.
func bytesOf[T float32 | uint32](numbers []T) []byte {
	if len(numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}

// read reads numbers from a place in the file.
func (r *Rows) read(to []float32, at int64) error { return r.readBytes(bytesOf(to), at) }

func (r *Rows) readBytes(to []byte, at int64) error {
	if n, err := r.file.ReadAt(to, at); n < len(to) {
		return scratchError(err)
	}
	return nil
}

// load reads an interval of rows to their places in a region, and tells how many bytes that were.
func (r *Rows) load(t *tensor, width int, of chunk.Interval, to grid.Rows) (bytes uint64, err error) {
	switch {
	case to.Offsets != nil:
		first := t.offsets[of.Base]
		for i := range to.Offsets {
			to.Offsets[i] = t.offsets[of.Base+uint64(i)] - first
		}
		if err = r.readBytes(bytesOf(to.Columns), t.columns+4*first); err == nil {
			err = r.read(to.Numbers, t.numbers+4*first)
		}
		return 8*uint64(len(to.Offsets)) + 8*uint64(len(to.Numbers)), err
	case t.offsets != nil:
		return r.spread(t, width, of, to.Numbers)
	}
	return 4 * uint64(len(to.Numbers)), r.read(to.Numbers, t.numbers+4*int64(of.Base)*int64(width))
}

// spread reads sparse rows, and writes all of their numbers.
func (r *Rows) spread(t *tensor, width int, of chunk.Interval, to []float32) (bytes uint64, err error) {
	first := t.offsets[of.Base]
	columns := make([]uint32, t.offsets[of.End()]-first)
	numbers := make([]float32, len(columns))
	if err = r.readBytes(bytesOf(columns), t.columns+4*first); err == nil {
		err = r.read(numbers, t.numbers+4*first)
	}
	clear(to)
	for v := range of.Count {
		for e := t.offsets[of.Base+v] - first; e < t.offsets[of.Base+v+1]-first; e++ {
			to[int(v)*width+int(columns[e])] += numbers[e]
		}
	}
	return 4 * uint64(len(to)), err
}

// Rows are picked from a window of the file where that has not much more than what is picked.
const (
	windowBytes = 1 << 20
	windowShare = 4
)

// windowOf is how many of some vertices, in ascending order, are picked from the first window, and how many there are
// in it.
func windowOf(vertices []uint32, width int) (picked, span int) {
	most, n := max(1, windowBytes/(4*width)), 1
	for n < len(vertices) && int(vertices[n]-vertices[0]) < most && int(vertices[n]-vertices[0]) < windowShare*(n+1) {
		n++
	}
	return n, int(vertices[n-1]-vertices[0]) + 1
}

// Window is memory to pick rows from. Each that picks at the same time has one.
type Window []float32

// LoadInput reads an interval of the rows of an input to their places, and tells how many bytes that were.
func (r *Rows) LoadInput(v *dataflow.Value, of chunk.Interval, to grid.Rows) (bytes uint64, err error) {
	return r.load(r.inputs[v.Name], v.Width, of, to)
}

// PickInput reads the rows of an input of some vertices, in ascending order.
func (r *Rows) PickInput(v *dataflow.Value, vertices []uint32, to []float32, w *Window) (bytes uint64, err error) {
	return r.pick(r.inputs[v.Name], v.Width, vertices, to, w)
}

// pick reads the rows of some vertices, in ascending order.
func (r *Rows) pick(t *tensor, width int, vertices []uint32, to []float32, w *Window) (bytes uint64, err error) {
	bytes = 4 * uint64(len(to))
	for len(vertices) > 0 && err == nil {
		n, count := windowOf(vertices, width)
		span := chunk.Interval{Base: uint64(vertices[0]), Count: uint64(count)}
		if count == n {
			_, err = r.load(t, width, span, grid.Rows{Numbers: to[:n*width]})
		} else {
			if len(*w) < count*width {
				*w = make([]float32, max(count*width, windowBytes/4))
			}
			window := (*w)[:count*width]
			_, err = r.load(t, width, span, grid.Rows{Numbers: window})
			for i, u := range vertices[:n] {
				copy(to[i*width:(i+1)*width], window[int(u-vertices[0])*width:])
			}
		}
		vertices, to = vertices[n:], to[n*width:]
	}
	return bytes, err
}

// store writes an interval of rows, out of a region.
func (r *Rows) store(t *tensor, width int, of chunk.Interval, rows []float32) (bytes uint64, err error) {
	if _, err = r.file.WriteAt(bytesOf(rows), t.numbers+4*int64(of.Base)*int64(width)); err != nil {
		err = scratchError(err)
	}
	return 4 * uint64(len(rows)), err
}
