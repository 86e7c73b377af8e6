package kernels

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// Networks are the kernels of network.cu. Their methods put work into a stream.
type Networks struct{ launcher }

// LoadNetworks has the driver compile them for the card of the current context.
func LoadNetworks() (*Networks, error) {
	text, err := image("network")
	if err != nil {
		return nil, err
	}
	module, err := driver.Load(text)
	if err != nil {
		return nil, err
	}
	l, err := newLauncher(module, kernelsOf(text))
	return &Networks{l}, err
}

// Code is what an Instruction does: network_evaluate.cuh has them in this order, and says what its operands are.
type Code uint32

const (
	End Code = iota
	OfRow
	OfSource
	OfTarget
	OfOne
	OfEdge
	Constant
	Factor
	Narrow
	Move
	Back
	Branch
	Jump
	Parts
	PartsNext
	Terms
	TermsNext
	TermsTransposedNext
	Negate
	Relu
	LeakyRelu
	Elu
	Sigmoid
	Tanh
	Exp
	Log
	Sqrt
	Softplus
	Abs
	Positive
	LeakySlope
	EluSlope
	Sign
	Add
	Subtract
	Multiply
	Divide
	Most
	Equal
	Greater
)

// Instruction is network_evaluate.cuh's.
type Instruction struct {
	Code   Code
	A, B   uint32
	Number float32
	At     uint64
}

const (
	// StackDepth is the most numbers that an expression has on its stack.
	StackDepth = 24
	// CutList is the longest list that one thread goes along; longer ones are cut into pieces of as many entries.
	CutList = 256
)

// What may be wrong with lists, as bits.
const (
	TooManyEdges = 1
	MissingEdges = 2
)

// Lists are rows and their entries, as network_gather.cuh has them: row r has Begin[r] to End[r], and room up to
// Begin[r+1].
type Lists struct {
	Rows       uint64
	Begin, End driver.Pointer // uint64
	Others     driver.Pointer // uint32: what an entry names
	Pieces     driver.Pointer // uint64: of long rows
	PieceCount uint64
	Longs      driver.Pointer // 3 uint64 each
	LongCount  uint64
}

// rows are the arguments of kernels that go along all of l.
func (l Lists) rows() []uint64 {
	return []uint64{l.Rows, uint64(l.Begin), uint64(l.End), uint64(l.Pieces), l.PieceCount}
}

// Sinks are where a fold leaves its results: rows of so many numbers, and those of pieces on their way.
type Sinks struct {
	Width        uint64
	Largest      bool // in place of sums
	Out, Partial driver.Pointer
}

func (o Sinks) args() []uint64 {
	return []uint64{o.Width, flag(o.Largest), uint64(o.Out), uint64(o.Partial)}
}

func flag(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// Gather folds an expression over the edges at vertices, of which these are the sources or the targets.
func (k *Networks) Gather(s driver.Stream, l Lists, o Sinks, atSource bool, code driver.Pointer) error {
	args := append(append(l.rows(), o.args()...), uint64(l.Others), flag(atSource), uint64(code))
	if err := k.launch(s, "network_gather", grid((l.Rows+l.PieceCount)*o.Width), args...); err != nil {
		return err
	}
	return k.join(s, l, o)
}

// GatherRows folds the rows that entries name, times a number of each unless there are none. Order says which is
// whose; without it, they stand in the order of entries.
func (k *Networks) GatherRows(s driver.Stream, l Lists, o Sinks, rows, numbers, order driver.Pointer) error {
	args := append(append(l.rows(), o.args()...), uint64(l.Others), uint64(rows), uint64(numbers), uint64(order))
	if err := k.launch(s, "network_gather_rows", grid((l.Rows+l.PieceCount)*o.Width), args...); err != nil {
		return err
	}
	return k.join(s, l, o)
}

// join puts the pieces of long rows together.
func (k *Networks) join(s driver.Stream, l Lists, o Sinks) error {
	if l.LongCount == 0 {
		return nil
	}
	return k.launch(s, "network_join", grid(l.LongCount*o.Width), uint64(l.Begin), uint64(l.End), uint64(l.Longs),
		l.LongCount, o.Width, flag(o.Largest), uint64(o.Partial), uint64(o.Out))
}

// Vertices are those that rows are of, for dropouts: these from First on, and at the other end of edges those that
// Others names, uint32; 0: all.
type Vertices struct {
	First  uint64
	Others driver.Pointer
}

// Cell is some entries more of lists that come some at a time: those of rows with more than Most are cut into pieces.
type Cell struct {
	Lists
	Most     uint64
	Before   driver.Pointer // uint32: how many entries each row has had
	Vertices Vertices
}

// Folds are where folds over cells stand: Out and Piece are rows of so many numbers, Partial those of pieces.
type Folds struct {
	Sinks
	Piece driver.Pointer
}

func (c Cell) args(o Folds) []uint64 {
	return []uint64{c.Rows, uint64(c.Begin), uint64(c.Pieces), c.PieceCount, c.Most, uint64(c.Before), o.Width,
		flag(o.Largest), uint64(o.Out), uint64(o.Piece), uint64(o.Partial), uint64(c.Others)}
}

// GatherMore goes on with the fold of an expression over edges.
func (k *Networks) GatherMore(s driver.Stream, c Cell, o Folds, atSource bool, code driver.Pointer) error {
	args := append(c.args(o), flag(atSource), c.Vertices.First, uint64(c.Vertices.Others), uint64(code))
	if err := k.launch(s, "network_gather_cell", grid((c.Rows+c.PieceCount)*o.Width), args...); err != nil {
		return err
	}
	return k.joinMore(s, c, o)
}

// GatherRowsMore goes on with the fold of rows that entries name.
func (k *Networks) GatherRowsMore(s driver.Stream, c Cell, o Folds, rows driver.Pointer) error {
	if err := k.launch(s, "network_gather_rows_cell", grid((c.Rows+c.PieceCount)*o.Width),
		append(c.args(o), uint64(rows))...); err != nil {
		return err
	}
	return k.joinMore(s, c, o)
}

func (k *Networks) joinMore(s driver.Stream, c Cell, o Folds) error {
	if c.LongCount == 0 {
		return nil
	}
	return k.launch(s, "network_join_cell", grid(c.LongCount*o.Width), uint64(c.Begin), uint64(c.Longs), c.LongCount,
		uint64(c.Before), o.Width, flag(o.Largest), uint64(o.Partial), uint64(o.Out), uint64(o.Piece))
}

// Come counts the entries of a cell, once all folds have gone on.
func (k *Networks) Come(s driver.Stream, c Cell) error {
	return k.launch(s, "network_come", grid(c.Rows), c.Rows, uint64(c.Begin), uint64(c.Before))
}

// End ends the fold of so many rows, once all their entries have come.
func (k *Networks) End(s driver.Stream, rows uint64, before driver.Pointer, o Folds) error {
	return k.launch(s, "network_end", grid(rows*o.Width), rows, o.Width, flag(o.Largest), uint64(before), uint64(o.Piece),
		uint64(o.Out))
}

// EdgeOuter adds up the products of two expressions, of so many columns each, over the edges at vertices, those of
// each vertices in one of parts.
func (k *Networks) EdgeOuter(s driver.Stream, l Lists, of Vertices, atSource bool, parts, each, high, wide uint64, x, y,
	partial driver.Pointer) error {
	return k.launch(s, "network_edge_outer", grid(parts*high*wide), l.Rows, uint64(l.Begin), uint64(l.End),
		uint64(l.Others), flag(atSource), of.First, uint64(of.Others), parts, each, high, wide, uint64(x), uint64(y),
		uint64(partial))
}

// Rows computes an expression row by row, from that of a vertex on.
func (k *Networks) Rows(s driver.Stream, rows, width, first uint64, code, out driver.Pointer) error {
	return k.launch(s, "network_rows", grid(rows*width), rows, width, first, uint64(code), uint64(out))
}

// Sums adds up an expression over rows, those of each rows in one of parts, from that of a vertex on.
func (k *Networks) Sums(s driver.Stream, rows, width, first, parts, each uint64, code, partial driver.Pointer) error {
	return k.launch(s, "network_sums", int(min(parts, mostBlocks)), rows, width, first, parts, each, uint64(code),
		uint64(partial))
}

// Total adds up parts of so many numbers, in order; more: to what is there.
func (k *Networks) Total(s driver.Stream, numbers, parts uint64, partial driver.Pointer, more bool,
	out driver.Pointer) error {
	return k.launch(s, "network_total", grid(numbers), numbers, parts, uint64(partial), flag(more), uint64(out))
}

// Loss is the cross entropy of logits and classes, or its gradient. Rows are so many numbers apart.
func (k *Networks) Loss(s driver.Stream, rows, width uint64, logits driver.Pointer, logitsApart uint64,
	classes driver.Pointer, classesApart uint64, slope bool, out driver.Pointer) error {
	return k.launch(s, "network_loss", grid(rows), rows, width, uint64(logits), logitsApart, uint64(classes),
		classesApart, flag(slope), uint64(out))
}

// Dense writes rows that come sparse, out of so many columns.
func (k *Networks) Dense(s driver.Stream, rows, width uint64, offsets, columns, numbers, out driver.Pointer) error {
	if err := s.Fill32(out, 0, rows*width); err != nil {
		return err
	}
	return k.launch(s, "network_dense", grid(rows), rows, width, uint64(offsets), uint64(columns), uint64(numbers),
		uint64(out))
}

// Drop multiplies the numbers of sparse rows, from that of a vertex on, with the factors that code says.
func (k *Networks) Drop(s driver.Stream, rows, first uint64, offsets, columns, numbers, code,
	out driver.Pointer) error {
	return k.launch(s, "network_drop", grid(warp*rows), rows, first, uint64(offsets), uint64(columns), uint64(numbers),
		uint64(code), uint64(out))
}

// Matrix is where a matrix is, and how far its rows and columns are apart.
type Matrix struct {
	Of                      driver.Pointer
	RowsApart, ColumnsApart uint64
}

// narrowColumns is up to how many columns a product is made by network_product_narrow.
const narrowColumns = 32

// Product is x·y of m rows and n columns: each of what they share is in one of parts.
func (k *Networks) Product(s driver.Stream, m, n, inner uint64, x, y Matrix, parts, each uint64,
	out driver.Pointer) error {
	name, high, wide := "network_product", uint64(64), uint64(64)
	if n <= narrowColumns {
		name, high, wide = "network_product_narrow", 128, 16
	}
	blocks := min((m+high-1)/high*((n+wide-1)/wide)*parts, mostBlocks)
	return k.launch(s, name, int(blocks), m, n, inner, uint64(x.Of), x.RowsApart, x.ColumnsApart, uint64(y.Of),
		y.RowsApart, y.ColumnsApart, parts, each, uint64(out))
}

// Entries are those of lists of edges, and their properties: so many of each edge, single numbers, those of all edges
// after each other.
type Entries struct {
	Lists
	Properties     driver.Pointer
	PropertyCount  uint64
	Edges          uint64 // that there is room for
	SelfLoops      bool   // each vertex is its own neighbor
	Wrong, Missing driver.Pointer
}

// Take takes the lists of a chunk of so many rows.
func (k *Networks) Take(s driver.Stream, chunk driver.Pointer, rows uint64, e Entries) error {
	return k.launch(s, "network_take", grid(warp*rows), uint64(chunk), uint64(e.Begin), uint64(e.End), uint64(e.Others),
		uint64(e.Properties), e.PropertyCount, e.Edges, flag(e.SelfLoops), uint64(e.Wrong))
}

// Complete ends the lists when all chunks have come: what is wrong is in *Wrong then, and the least vertex whose
// edges have not all come in *Missing. Degrees are how many neighbors vertices have.
func (k *Networks) Complete(s driver.Stream, e Entries, degrees driver.Pointer) error {
	if err := k.launch(s, "network_complete", grid(warp*e.Rows), e.Rows, uint64(e.Begin), uint64(e.End),
		uint64(e.Others), uint64(e.Properties), e.PropertyCount, e.Edges, flag(e.SelfLoops), uint64(degrees),
		uint64(e.Wrong), uint64(e.Missing)); err != nil {
		return err
	}
	return k.launch(s, "network_sort", grid(e.Rows), e.Rows, uint64(e.Begin), uint64(e.End), uint64(e.Others),
		uint64(e.Properties), e.PropertyCount, e.Edges, uint64(degrees))
}
