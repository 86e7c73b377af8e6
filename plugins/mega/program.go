package mega

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Number is what rows that travel are made of: changes of it add up.
type Number interface {
	~int32 | ~int64 | ~float32 | ~float64
}

// Program is what is computed. U is what rows of left vertices are made of, V those of right ones and of the context, E
// what an edge has. The zero value of a function does nothing.
type Program[U any, V Number, E any] struct {
	Name string
	// Left is the row of a left vertex. What is shared travels where a cut puts edges of a left vertex in several
	// partitions: it then has a master and mirrors, as right ones have, and U is V. Without shared values a program needs
	// all edges of a left vertex in one partition.
	Left    Rows
	Right   Rows // of a right one
	Context Rows // of τ; the zero value: there is none

	// StartLeft, StartRight and StartContext fill rows, which are 0, of vertices by their numbers; of right vertices and
	// the context, that is the master's row.
	StartLeft    func(u int, row []U)
	StartRight   func(v int, row []V)
	StartContext func(row []V)
	// StartMirror fills what a mirror has for itself, of a row of which so many, at least 1, are likely to be changed
	// together: by workers that have not heard of each other. Where Rows.Mean is not asked for, these are the changes
	// that others of a right row are likely to make unheard, and one of the mirror's own.
	StartMirror func(own []V, together float64)

	// Exchange is called for each edge.
	Exchange func(w *Worker[V], u []U, v []V, edge *E)
	// Block may stand in for Exchange, edge by edge of u, in their order: for kernels. It must do the same.
	Block func(w *Worker[V], u []U, edges Edges[V, E])
	// Visit is called for each left vertex; of a batch, for those whose last edge is in it. Those without edges are in
	// the first batch.
	Visit func(w *Worker[V], u []U)

	// Settle is called at Sync for each right vertex to which a batch had edges, or more, by the index that Targets have,
	// with the row of its mirror, before that is sent: for what a program has kept elsewhere until then.
	Settle func(w *Worker[V], i uint32, row []V)
	// Apply brings to the row of a master by how much the shared values of a mirror have changed. Nil: they are added.
	Apply func(w *Worker[V], master, change []V)
	// ApplyContext does so for the context.
	ApplyContext func(w *Worker[V], master, change []V)

	// VisitRight is called for each right vertex, with the master's row, which it may not change.
	VisitRight func(w *Worker[V], row []V)

	// Tally is how many numbers beside the loss each worker keeps of an epoch, for Done.
	Tally int
	// Done says whether what an epoch has come to will do, by its loss and the tallies of the workers: then it is the
	// last, but for those that workers have begun by their slack. It is asked epoch after epoch; calls do not overlap, and
	// of tallies nothing is kept. Each of several processes asks it.
	// Nil: there are as many epochs as Options say. So there are where nothing bounds the slack, whatever it says.
	Done func(epoch int, loss float64, tallies [][]float64) bool

	Keeps Keeps // what belongs to a run beside rows

	Stages []Stage // of an epoch
	// Shuffle has left vertices come in another random order in each epoch, with all of their edges; a batch is then so
	// many of them.
	Shuffle bool
}

// Keeps is what belongs to a run beside rows: see Course. A function passes it to keep, part by part, always as large:
// between two epochs, for it to be copied, or to be filled with what it was. Nil: there is nothing.
type Keeps struct {
	All func(keep func(part []byte)) // of the program; the same in all of several processes
	// Left does so with what belongs to left vertices from first to before end, which are those of one worker.
	Left  func(first, end int, keep func(part []byte))
	Edges bool // Exchange changes edges
}

// Rows says what the row of a vertex is that has a master and mirrors.
type Rows struct {
	Shared int // values that travel; they come first
	Master int // values behind them that the master alone has
	Mirror int // values behind them that each mirror has for itself; they begin as 0, or as Program.StartMirror says
	// Mean has a change of a mirror count as one of so many as are made together, where they would be added: for mirrors
	// that go as much further, as if they were all of these (Program.StartMirror).
	Mean bool
}

// Width is how many values the row of a mirror has.
func (r Rows) Width() int { return r.mirror() }

func (r Rows) master() int { return r.Shared + r.Master }
func (r Rows) mirror() int { return r.Shared + r.Mirror }

// Edges are those of one left vertex, some or all. Edge i leads to row Targets[i] of Mirrors.
type Edges[V Number, E any] struct {
	Targets []uint32
	Values  []E
	Mirrors []V
	Width   int // of a row of Mirrors
}

// Row is that of edge i's right vertex.
func (r Edges[V, E]) Row(i int) []V {
	at := int(r.Targets[i]) * r.Width
	return r.Mirrors[at : at+r.Width : at+r.Width]
}

// Worker is what a program's function knows beside the rows. It is for the duration of the call.
type Worker[V Number] struct {
	Number  int
	Epoch   int  // from 0
	Clock   int  // from 0
	Set     int  // of left vertices, that is scanned: see ExchangeOf
	Looks   bool // at edges, and may change nothing that travels: see Look
	Context []V  // the mirror of τ
	Random  *rand.Rand
	// Loss adds up, over an epoch, to what is told of it.
	Loss float64
	// Tally is what Program.Done is told; it begins each epoch as 0.
	Tally []float64
	at    place
}

// Stage is a part of an epoch.
type Stage struct {
	do    action
	set   int  // of left vertices; every: all of them
	meets bool // syncing: until all workers have
	batch []Stage
}

const every = -1

type action uint8

const (
	exchange action = iota + 1
	visit
	syncing
	miniBatch
	visitRight
	look
)

// Exchange calls the program's Exchange, or Block, for the edges of a batch.
func Exchange() Stage { return Stage{do: exchange, set: every} }

// ExchangeOf is Exchange for the edges of left vertices of one set alone: see Graph.Sets.
func ExchangeOf(set int) Stage { return Stage{do: exchange, set: set} }

// Visit calls the program's Visit for the left vertices of a batch.
func Visit() Stage { return Stage{do: visit} }

// VisitRight calls the program's VisitRight for the right vertices whose masters the worker has, as those are when what
// has been changed in the clocks before is known.
func VisitRight() Stage { return Stage{do: visitRight} }

// Look calls the program's Exchange, or Block, for all edges of a partition, with Worker.Looks: for what is to be known
// of rows as they are.
func Look() Stage { return Stage{do: look} }

// Sync ends a clock: what was changed is sent, and what others have changed comes before the next one begins.
func Sync() Stage { return Stage{do: syncing} }

// Barrier is Sync after which a worker sees all that has been changed in the clocks before, whatever the slack.
func Barrier() Stage { return Stage{do: syncing, meets: true} }

// MiniBatch does its stages batch by batch.
func MiniBatch(stages ...Stage) Stage { return Stage{do: miniBatch, batch: stages} }

// String is the stage as it is written.
func (s Stage) String() string {
	switch {
	case s.do == exchange && s.set != every:
		return fmt.Sprintf("ExchangeOf(%d)", s.set)
	case s.meets:
		return "Barrier"
	case s.do == miniBatch:
		var within []string
		for _, each := range s.batch {
			within = append(within, each.String())
		}
		return "MiniBatch(" + strings.Join(within, ", ") + ")"
	}
	return map[action]string{exchange: "Exchange", visit: "Visit", visitRight: "VisitRight", look: "Look",
		syncing: "Sync"}[s.do]
}
