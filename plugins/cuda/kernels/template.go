package kernels

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/ptx"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// State is a program on the card, and what its kernels need beside it.
type State struct {
	Program  driver.Pointer // a Program
	Vertices uint64
	Scratch  driver.Pointer // of Scratch bytes
}

// Template is the kernels of one program, with its lowered functions in them. Its methods put work into a stream,
// of which all for one State go into the same.
type Template struct {
	launcher
	form       form
	pulls      bool
	own        bool // of messages: see Messages
	apply      string
	step       string // of the kernels for chunks: push_float_plus
	join       string // of pull_join_float_sum
	aggregates int
}

// LoadTemplate loads the kernels for a checked program (shape.WithoutDefault) and what it was lowered to. Which they
// are goes by its shape; the driver compiles no others.
func LoadTemplate(spec *algorithms.Program, lowered string) (*Template, error) {
	return loadTemplate(spec, formOf(spec), lowered)
}

func loadTemplate(spec *algorithms.Program, f form, lowered string) (*Template, error) {
	t, names := newTemplate(spec, f)
	text, err := linked(names, lowered)
	if err != nil {
		return nil, err
	}
	module, err := driver.Load(text)
	if err != nil {
		return nil, err
	}
	t.launcher, err = newLauncher(module, names)
	return t, err
}

// linked is the PTX of kernels with lowered functions in them.
func linked(names []string, lowered string) (string, error) {
	text, err := image("template")
	if err != nil {
		return "", err
	}
	return ptx.Link(prune(text, names), lowered)
}

// newTemplate chooses the kernels of a program.
func newTemplate(spec *algorithms.Program, f form) (*Template, []string) {
	t := &Template{form: f, pulls: shape.Accumulates(spec.Reduce), apply: "apply", aggregates: len(spec.Aggregates)}
	names := []string{"begin", "init", "forget", "total", "depart"}
	if shape.Improves(spec) {
		t.apply, names = "improve", append(names, "arrive")
	}
	names = append(names, t.apply)
	if t.aggregates > 0 {
		names = append(names, "aggregate", "aggregate_total")
	}
	if !t.pulls {
		t.step = "push_" + kind(spec) + "_" + t.form.name
		return t, append(names, t.step, t.pieces())
	}
	silent := t.form.name == asIs && spec.Activity != algorithms.Always // who does not send must be told by the message
	t.own = t.form.name != processed && (t.form.state < 0 || silent)
	switch {
	case t.own && t.aggregates > 0:
		names = append(names, "messages_aggregate")
	case t.own:
		names = append(names, "messages")
	}
	fold := kind(spec) + "_" + folds[spec.Reduce]
	t.step, t.join = "pull_"+fold+"_"+t.form.name, "pull_join_"+fold
	return t, append(names, t.step, t.pieces(), t.join)
}

var folds = map[algorithms.Reduce]string{algorithms.Sum: "sum", algorithms.Prod: "product"}

// kind is which kernels a program's messages need: a bool is an integer to them.
func kind(spec *algorithms.Program) string {
	if shape.Type(spec.Process.Checked) == algorithms.Float {
		return "float"
	}
	return "int"
}

// pieces is the kernel for long rows that goes with step.
func (t *Template) pieces() string { return t.step[:len("push_")] + "pieces_" + t.step[len("push_"):] }

// Kernel names what goes along the edges, for people.
func (t *Template) Kernel() string { return t.step }

// Pulls tells whether rows of chunks receive (of a directed graph, chunks of direction In, going forward), or send.
func (t *Template) Pulls() bool { return t.pulls }

// Improves tells whether the program has no Apply of its own, so that Improve is right for it.
func (t *Template) Improves() bool { return t.apply == "improve" }

// Messages tells what Program.Messages is to be: memory of its own, 8 bytes a vertex, or else the column of
// Program.Columns, which messages are as it is; or, where that is -1, nothing.
func (t *Template) Messages() (own bool, column int) {
	if !t.pulls || t.own || t.form.state < 0 {
		return t.own, -1
	}
	return false, ColumnState + t.form.state
}

// Begin lays out the scratch, of which pieces are for chunks of up to so many edges, as Scratch was told. It comes
// before all others.
func (t *Template) Begin(s driver.Stream, st State, edges uint64) error {
	return t.launch(s, "begin", 1, uint64(st.Scratch), math.Float64bits(t.form.neutral), cuts(edges))
}

// Init gives every vertex its initial state, empties accumulators, sets the active bitmap and Counters.Active.
func (t *Template) Init(s driver.Stream, st State) error {
	return t.tallied(s, st, "init", st.Vertices, uint64(st.Program), uint64(st.Scratch))
}

// Forget empties the accumulators.
func (t *Template) Forget(s driver.Stream, st State) error {
	return t.launch(s, "forget", grid(st.Vertices), uint64(st.Program))
}

// Prepare takes what an iteration needs of the state before it: aggregates, and messages. It comes after whatever
// has changed the state or who is active, and before Step and Apply.
func (t *Template) Prepare(s driver.Stream, st State) error {
	for k := range uint64(t.aggregates) {
		if err := t.aggregate(s, st, k); err != nil {
			return err
		}
	}
	if !t.own || t.aggregates > 0 {
		return nil
	}
	return t.launch(s, "messages", grid(st.Vertices), uint64(st.Program), uint64(st.Scratch))
}

// aggregate sums one up; with the first of them come messages.
func (t *Template) aggregate(s driver.Stream, st State, k uint64) error {
	name, args := "aggregate", []uint64{uint64(st.Program), k, uint64(st.Scratch)}
	if t.own && k == 0 {
		name, args = "messages_aggregate", []uint64{uint64(st.Program), uint64(st.Scratch)}
	}
	blocks := gridOf(st.Vertices, tallies)
	if err := t.launch(s, name, blocks, args...); err != nil {
		return err
	}
	return t.launch(s, "aggregate_total", 1, uint64(st.Program), k, uint64(st.Scratch), uint64(blocks))
}

// Step sends along a chunk's edges, and adds those gone along to Counters.Edges. Who sends is told by a bitmap; where
// rows receive it is the active one, of which Prepare has made messages.
func (t *Template) Step(s driver.Stream, st State, senders driver.Pointer, r *Resident) error {
	return t.StepAll(s, st, senders, []*Resident{r})
}

// StepAll is Step for chunks in this order, with fewer launches.
func (t *Template) StepAll(s driver.Stream, st State, senders driver.Pointer, chunks []*Resident) error {
	for len(chunks) > 0 {
		some := batch(chunks)
		chunks = chunks[len(some):]
		if err := t.send(s, st, senders, some); err != nil {
			return err
		}
	}
	return nil
}

func (t *Template) send(s driver.Stream, st State, senders driver.Pointer, some []*Resident) error {
	if !t.pulls {
		return t.push(s, st, senders, some)
	}
	for _, r := range some {
		if err := t.pull(s, st, r); err != nil {
			return err
		}
	}
	return nil
}

// push has rows send, those of all these chunks at once.
func (t *Template) push(s driver.Stream, st State, senders driver.Pointer, some []*Resident) error {
	args := make([]uint64, 4+batchChunks)
	args[0], args[1], args[2], args[3] = uint64(st.Program), uint64(senders), uint64(t.form.column), uint64(st.Scratch)
	var tiles, edges, longest uint64
	for i, r := range some {
		args[4+i] = uint64(r.At)
		tiles += tilesOf(r.Rows, Block)
		edges += r.Edges
		longest = max(longest, r.Edges)
	}
	if tiles == 0 {
		return nil
	}
	return t.inPieces(s, st, longest, func() error {
		return t.launch(s, t.step, grid(tiles*Block), args...)
	}, func() error {
		return t.launch(s, t.pieces(), longBlocks(edges), uint64(st.Program), uint64(t.form.column), uint64(st.Scratch))
	})
}

// pull has a chunk's rows receive.
func (t *Template) pull(s driver.Stream, st State, r *Resident) error {
	if r.Rows == 0 {
		return nil
	}
	program, chunk, column, scratch := uint64(st.Program), uint64(r.At), uint64(t.form.column), uint64(st.Scratch)
	return t.inPieces(s, st, r.Edges, func() error {
		return t.launch(s, t.step, grid(r.Rows), program, chunk, column, scratch)
	}, func() error {
		if err := t.launch(s, t.pieces(), longBlocks(r.Edges), program, chunk, column, scratch); err != nil ||
			r.Edges < pieceEdges {
			return err
		}
		return t.launch(s, t.join, grid(warp*pieces(r.Edges)), program, chunk, scratch)
	})
}

// inPieces launches kernels for all rows, and then those for the pieces in which they have cut long ones, if a chunk
// has edges enough for such a row.
func (t *Template) inPieces(s driver.Stream, st State, edges uint64, rows, long func() error) error {
	if edges < cutEdges {
		return rows()
	}
	if err := s.Fill64(st.Scratch+piecesAt, 0, 2); err != nil {
		return err
	}
	if err := rows(); err != nil {
		return err
	}
	return long()
}

// longBlocks is the number of blocks for the long rows that chunks of so many edges may have.
func longBlocks(edges uint64) int { return gridOf(Block*cuts(edges), mostBlocks) }

// Apply gives the vertices from `from` on, a multiple of 64, to `to`, another or the last, their next state. It sets
// who of them is active, Counters.Active and Counters.Change, and empties their accumulators.
func (t *Template) Apply(s driver.Stream, st State, from, to uint64) error {
	return t.tallied(s, st, t.apply, to-from, uint64(st.Program), from, to, uint64(st.Scratch))
}

// Depart moves those of a set who are active into the bitmap departing. Counters.Active is how many they are.
func (t *Template) Depart(s driver.Stream, st State, set, departing driver.Pointer) error {
	return t.tallied(s, st, "depart", (st.Vertices+63)/64, uint64(st.Program), uint64(set), uint64(departing),
		uint64(st.Scratch))
}

// Improve gives whom something better has come their next state, and makes them active beside who is already, for a
// program that Improves. It empties accumulators and sets Counters.Active.
func (t *Template) Improve(s driver.Stream, st State) error {
	return t.tallied(s, st, "arrive", st.Vertices, uint64(st.Program), uint64(st.Scratch))
}

// tallied launches a kernel over so many things, and then total.
func (t *Template) tallied(s driver.Stream, st State, name string, things uint64, args ...uint64) error {
	blocks := gridOf(things, tallies)
	if err := t.launch(s, name, blocks, args...); err != nil {
		return err
	}
	return t.launch(s, "total", 1, uint64(st.Program), uint64(st.Scratch), uint64(blocks))
}
