package neural

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/hugepages"
)

// workspace is memory for the stage that is computed, whichever that is: the blocks of each worker, partial sums, and
// matrices as products read them.
type workspace[T number] struct {
	blocks  [][]T
	partial []T
	packed  []T // matrices that rows are multiplied by
}

// workspaceSize is how many numbers each of these has.
type workspaceSize struct {
	block, partial, packed int
	sections               [2]extent // the largest, by dataflow.End; asked for where edge values are held
	index                  int       // of edges, in a block
}

// need makes the size enough for stages, of which so many sections are computed, and sums by column if they can be.
func (s *workspaceSize) need(stages []dataflow.Stage, sparse map[*dataflow.Value]bool, sections int, byColumn bool) {
	for i := range stages {
		rows, tile := blockValues(&stages[i], sparse)
		most := extentOf(&stages[i], s.sections)
		s.block, s.index = max(s.block, most.numbers(rows, tile)), max(s.index, most.rows, most.edges)
		sums := stages[i].Added()
		if byColumn {
			sums = without(sums, columnSums(&stages[i], sparse))
		}
		s.partial = max(s.partial, sections*sumNumbers(sums))
		packed := 0
		for _, v := range products(&stages[i], sparse) {
			packed += v.Args[0].Width * v.Width
		}
		s.packed = max(s.packed, packed)
	}
}

// bytes is what the workspace of so many workers takes, with the lists of edges and the keys of masks of each block.
func (s *workspaceSize) bytes(threads int) uint64 {
	return 4 * uint64(threads*(s.block+5*s.index)+s.partial+s.packed)
}

func newWorkspace[T number](s workspaceSize, threads int) *workspace[T] {
	w := &workspace[T]{blocks: make([][]T, threads), partial: make([]T, s.partial), packed: make([]T, s.packed)}
	for i := range w.blocks {
		w.blocks[i] = make([]T, s.block)
	}
	return w
}

// blockValues are the values of a stage that a block has rows of, and those that it has a tile of.
func blockValues(stage *dataflow.Stage, sparse map[*dataflow.Value]bool) (rows, tile []*dataflow.Value) {
	fusedRows := fusedRows(stage, sparse)
	for i := range stage.Waves {
		w := &stage.Waves[i]
		for _, v := range slices.Concat(w.Gathers, w.Rows) {
			if v.Place == dataflow.Vertices && !sparse[v] && !fusedRows[v] {
				rows = append(rows, v)
			}
		}
		fused := fusionOf(w).fused
		for _, v := range w.Edges {
			if v.Op != dataflow.Source && v.Op != dataflow.Target && v.Op != dataflow.Mask && !isHeldWhereMade(v) && !fused[v] &&
				!slices.Contains(tile, v) {
				tile = append(tile, v)
			}
		}
	}
	return rows, tile
}

// products are the products of a stage by matrices that are packed.
func products(stage *dataflow.Stage, sparse map[*dataflow.Value]bool) (list []*dataflow.Value) {
	for _, w := range stage.Waves {
		for _, v := range slices.Concat(w.Edges, w.Rows) {
			if (v.Op == dataflow.Product || v.Op == dataflow.ProductTransposed) && !sparse[v.Args[0]] &&
				!slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// sumNumbers is how many numbers parameters have.
func sumNumbers(values []*dataflow.Value) (numbers int) {
	for _, v := range values {
		numbers += v.Rows * v.Width
	}
	return numbers
}

func widths(values []*dataflow.Value) (sum int) {
	for _, v := range values {
		sum += v.Width
	}
	return sum
}

// slab is memory that a network takes its numbers from, and that the next takes again.
type slab[T number] struct {
	all  []T
	used int
}

// manyNumbers are more than small pages of memory keep ready: rows that edges name lie anywhere among them.
const manyNumbers = 4 << 20

// newSlab is memory for n numbers.
func newSlab(n int) *slab[float32] {
	if n < manyNumbers {
		return &slab[float32]{all: make([]float32, n)}
	}
	return &slab[float32]{all: hugepages.Make[float32](n)}
}

// slabBytes is what newSlab takes.
func slabBytes(n int) uint64 {
	if n < manyNumbers {
		return 4 * uint64(n)
	}
	return 4*uint64(n) + hugepages.Slack(4*uint64(n))
}

// take takes n numbers, whatever they are; of no slab, 0.
func (s *slab[T]) take(n int) []T {
	if s == nil || n > len(s.all)-s.used {
		return make([]T, n)
	}
	s.used += n
	return s.all[s.used-n : s.used : s.used]
}
