package model

import (
	"context"
	"math/bits"
	"runtime"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/npu/model/internal/blockwise"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// counting is the form of programs whose edges have no weight. The matrix says how many edges
// lead from a source to a target, in a byte, and rows of bytes are multiplied by it; each says
// something of every source, as a digit of its message (coding). Where there are more edges than a
// byte counts, there is a matrix for each digit of their number.
type counting struct{ plan *Plan }

// Bounds of counting.
const (
	// base is that of the digits in which edges are counted, each in a byte. Processors without
	// VNNI add two products of bytes up in 16 bits, signed: 2·255·63 fits.
	base = 64
	// mostRows of bytes are multiplied at once: as many as the digits of a float64 of either sign take.
	mostRows = 544
	// countingBlock is about how many bytes of the matrix one multiplication has.
	countingBlock = 16 << 20
	// usualRows is how many rows of bytes a lane takes as a rule.
	usualRows = 16
)

func (f counting) name() string {
	what := map[algorithms.Reduce]string{algorithms.Sum: "digits", algorithms.Min: "levels",
		algorithms.Max: "levels"}[f.plan.program.Reduce]
	if what == "" {
		what = "bits"
	}
	return "MatMulInteger, " + what + " by int8"
}

// columns is how many targets a block has.
func (f counting) columns(n, threads int) int {
	return max(64, min(countingBlock/max(n, 1), blockwise.Ceil(n, threads))/64*64)
}

// bytes are those of the matrix as the runtime packs it, of blocks while sessions are made of them, of the
// rows and of what comes out.
func (f counting) bytes(s Size) uint64 {
	columns := f.columns(s.N, s.Threads)
	return f.layerBytes(s) + 4*uint64(s.Threads)*uint64(s.N)*uint64(columns) +
		rowBytes(s.N, columns)*uint64(min(mostRows, usualRows*s.Lanes)) + messageBytes(s)
}

// layerBytes are those of the matrix as it is filled and as the runtime packs it.
func (f counting) layerBytes(s Size) uint64 {
	return 2 * uint64(s.N) * uint64(blockwise.Padded(s.N, f.columns(s.N, s.Threads)))
}

// rowBytes is what each row and its sums take.
func rowBytes(n, columns int) uint64 { return uint64(n) + 4*uint64(blockwise.Padded(n, columns)) }

// counter multiplies rows of bytes by the matrix.
type counter struct {
	*building
	columns int
	rows    []byte // room for some rows of n
	taken   uint64 // for rows that the plan did not foretell
	bound   int    // for how many rows the blocks are bound
	blocks  []*counterBlock
}

// counterBlock is the matrix of some targets.
type counterBlock struct {
	from, to int   // the targets
	unit     int64 // how many edges a 1 stands for
	session  *ort.Session
	binding  *ort.Binding
	wanted   bool    // in this pass
	sums     []int32 // of each row, columns of them
}

func (f counting) build(b *building) (sender, error) {
	c := &counter{building: b, columns: f.columns(b.n, b.size.Threads)}
	matrices, err := c.fill(b.edges, func() error { return b.take(f.layerBytes(Size{N: b.n, Threads: b.size.Threads})) })
	if err != nil {
		return nil, err
	}
	for k := range matrices {
		layer, from := k*c.columns/blockwise.Padded(c.n, c.columns), k*c.columns%blockwise.Padded(c.n, c.columns)
		c.blocks = append(c.blocks, &counterBlock{from: from, to: min(from+c.columns, c.n), unit: powers(layer)})
	}
	err = blockwise.Each(context.Background(), b.size.Threads, len(matrices), func(_ context.Context, k int) (err error) {
		c.blocks[k].session, err = b.runtime.NewSession(c.model(matrices[k]), b.options)
		if matrices[k] = nil; c.n*c.columns > worthCollecting {
			runtime.GC()
		}
		return err
	})
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// worthCollecting is how many bytes a block has where the copies that it was written with are let go of
// before the next is: the collector would wait until all blocks together had as many.
const worthCollecting = 1 << 20

// powers is base to the power of k.
func powers(k int) int64 { return 1 << (bits.Len(base-1) * k) }

// fill counts the edges, by blocks of targets, of which each row is a source: in digits, the last in the first
// blocks. Programs that only ask whether there is one count them as well: the matrix is everybody's.
func (c *counter) fill(edges Edges, more func() error) (matrices [][]int8, err error) {
	if matrices, err = c.layer(nil, more); err != nil {
		return nil, err
	}
	for row := range edges {
		block, at := int(row.Target)/c.columns, int(row.Target)%c.columns
		for _, source := range row.Sources {
			if matrices, err = c.count(matrices, block, int(source)*c.columns+at, more); err != nil {
				return nil, err
			}
		}
	}
	return matrices, nil
}

// count adds 1 to a cell, and carries.
func (c *counter) count(matrices [][]int8, k, cell int, more func() error) (_ [][]int8, err error) {
	for matrices[k][cell]++; matrices[k][cell] == base; matrices[k][cell]++ {
		matrices[k][cell] = 0
		if k += blockwise.Ceil(c.n, c.columns); k >= len(matrices) {
			if matrices, err = c.layer(matrices, more); err != nil {
				return nil, err
			}
		}
	}
	return matrices, nil
}

// layer adds blocks for all targets; the plan speaks of the first.
func (c *counter) layer(matrices [][]int8, more func() error) ([][]int8, error) {
	if len(matrices) > 0 {
		if err := more(); err != nil {
			return nil, err
		}
	}
	for range blockwise.Ceil(c.n, c.columns) {
		matrices = append(matrices, make([]int8, c.n*c.columns))
	}
	return matrices, nil
}

// model is rows × matrix. The matrix is a constant, so that the runtime packs it once.
func (c *counter) model(matrix []int8) []byte {
	g := &onnx.Graph{Name: "counting"}
	rows := g.Input("rows", onnx.Uint8, -1, int64(c.n))
	m := g.Initializer(onnx.Values("matrix", []int64{int64(c.n), int64(c.columns)}, matrix...))
	g.As("sums", "MatMulInteger", []string{rows, m})
	g.Output("sums", onnx.Int32, -1, int64(c.columns))
	return g.Model()
}

// multiply makes the sums of the first count rows.
func (c *counter) multiply(ctx context.Context, count int) error {
	if err := c.bind(count); err != nil {
		return err
	}
	return blockwise.Each(ctx, c.size.Threads, len(c.blocks), func(ctx context.Context, b int) error {
		if !c.blocks[b].wanted {
			return nil
		}
		return c.blocks[b].binding.Run(ctx)
	})
}

func (c *counter) bind(count int) error {
	if c.bound == count && c.size.Facts.Provider == ort.CPU { // others copy what is bound
		return nil
	}
	c.bound = 0
	for _, b := range c.blocks {
		if err := b.bind(c, count); err != nil {
			return err
		}
	}
	c.bound = count
	return nil
}

func (b *counterBlock) bind(c *counter, count int) (err error) {
	b.unbind()
	if b.binding, err = b.session.Bind(); err != nil {
		return err
	}
	if err = b.binding.BindInput("rows", onnx.Uint8, []int64{int64(count), int64(c.n)}, c.rows[:count*c.n]); err != nil {
		return err
	}
	return b.binding.BindOutput("sums", onnx.Int32, []int64{int64(count), int64(c.columns)},
		onnx.Bytes(b.sums[:count*c.columns]))
}

func (b *counterBlock) unbind() {
	if b.binding != nil {
		b.binding.Close()
	}
	b.binding = nil
}

func (c *counter) close() {
	for _, b := range c.blocks {
		b.unbind()
		if b.session != nil {
			b.session.Close()
		}
	}
}

// room makes room for so many rows.
func (c *counter) room(count int) error {
	have := len(c.rows) / c.n
	if count <= have {
		return nil
	}
	if usual := min(mostRows, usualRows*c.size.Lanes); count > usual {
		bytes := rowBytes(c.n, c.columns) * uint64(count-max(have, usual))
		if err := c.take(bytes); err != nil {
			return err
		}
		c.taken += bytes
	}
	c.vacate()
	c.rows = make([]byte, count*c.n)
	for _, b := range c.blocks {
		b.sums = make([]int32, count*c.columns)
	}
	return nil
}

// vacate gives the rows up.
func (c *counter) vacate() {
	c.rows, c.bound = nil, 0
	for _, b := range c.blocks {
		b.unbind()
		b.sums = nil
	}
}

// row is the memory of one row.
func (c *counter) row(k int) []byte { return c.rows[k*c.n : (k+1)*c.n] }

// eachSum calls do with the sums of a row, for targets that were wanted, and what a 1 of them stands for.
func (c *counter) eachSum(k int, do func(from int, sums []int32, edges int64)) {
	for _, b := range c.blocks {
		if b.wanted {
			do(b.from, b.sums[k*c.columns:][:b.to-b.from], b.unit)
		}
	}
}
