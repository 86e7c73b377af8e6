package neural

import (
	"context"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/vector"
)

// Network is a program that is run over a graph, again and again, while its parameters change.
type Network[T number] struct {
	graph    Graph
	pool     parallel.Pool
	work     *workspace[T]
	schedule dataflow.Schedule
	known    table[[]T]
	sparse   map[*dataflow.Value]bool
	given    map[*dataflow.Value]Rows[T] // of inputs that are sparse
	passes   [2][]pass[T]                // once, and each time
	far      table[[]T]                  // rows that far ends of edges name; known, where all vertices are there
	dropout  dataflow.Dropout
	ready    bool // what is fixed has been computed
	interval[T]
	byColumn bool              // sums of sparse rows that can be made so
	roots    []*dataflow.Value // what is stored besides shares memory over time; nil: each value keeps its own
	memory   [2]*slab[T]       // of what is computed once, and each time; nil: each value has memory of its own
}

// interval is what of the vertices a network has, where that is not all of them; see Streamed. The zero value is all.
type interval[T number] struct {
	origin  uint64                  // the vertex of row 0
	whole   []uint32                // of a portion, by row: the row in the whole, by which dropouts know it
	sources []uint32                // the vertices of rows in far; nil: they are their own
	kept    map[*dataflow.Value][]T // rows that one wave leaves to the next
	touched []bool                  // rows that have had an edge in this wave
}

// seen says whether a row has had an edge before.
func (i *interval[T]) seen(row uint32) bool { return i.touched != nil && i.touched[row] }

// pass is a stage with what it needs to run.
type pass[T number] struct {
	*dataflow.Stage
	sums    []*dataflow.Value
	blocks  []*block[T]               // of each worker; nil: it has had nothing to do yet
	partial []map[*dataflow.Value][]T // of each section, its part of sums
	packs   map[*dataflow.Value]vector.Panels[T]
	columns columnPass[T]
}

// New makes a network that computes roots of inputs, the rows of all vertices. Parameters are 0 at first; see Of. One
// network at a time uses a workspace, and memory for what is computed each time.
func New[T number](graph Graph, pool parallel.Pool, work *workspace[T], memory *slab[T], values []*dataflow.Value,
	inputs map[string]Rows[T], roots ...*dataflow.Value) (*Network[T], error) {
	n := &Network[T]{graph: graph, pool: pool, work: work, schedule: dataflow.NewSchedule(values, roots...),
		known: newTable[[]T](values), memory: [2]*slab[T]{nil, memory}, byColumn: true}
	for _, rows := range inputs {
		n.byColumn = n.byColumn && uint64(len(rows.Columns)) <= mostEntries
	}
	if memory != nil {
		n.roots = roots
	}
	n.sparse = dataflow.Sparse(dataflow.Order(values, roots...), func(v *dataflow.Value) bool {
		return inputs[v.Name].Offsets != nil
	})
	if err := n.begin(values, inputs); err != nil {
		return n, err
	}
	for k := range n.passes {
		for i := range n.passes[k] {
			if n.byColumn {
				n.prepareColumns(&n.passes[k][i])
			}
		}
	}
	return n, nil
}

// begin makes the memory of a network's values ready, where none is known yet.
func (n *Network[T]) begin(values []*dataflow.Value, inputs map[string]Rows[T]) error {
	n.far, n.given = n.known, map[*dataflow.Value]Rows[T]{}
	graph := n.graph
	for k, stages := range [][]dataflow.Stage{n.schedule.Once, n.schedule.Epoch} {
		shared := k == 1 && n.roots != nil
		if shared {
			n.share(stages, n.memory[k])
		}
		for i := range stages {
			if !shared {
				n.keep(&stages[i], n.memory[k])
			}
			sections := len(graph.Sections[stages[i].End]) - 1
			n.passes[k] = append(n.passes[k], n.prepareSums(&stages[i], sections, n.memory[k]))
		}
	}
	for _, v := range values {
		switch {
		case v.Op == dataflow.Input && !inputs[v.Name].fits(graph.Vertices, v.Width):
			return fmt.Errorf("input %s does not have %d rows of %d numbers", v.Name, graph.Vertices, v.Width)
		case v.Op == dataflow.Input && n.sparse[v]:
			n.given[v] = inputs[v.Name]
		case v.Op == dataflow.Input:
			if n.known[v.ID] = inputs[v.Name].Dense; inputs[v.Name].Offsets != nil {
				n.known[v.ID] = n.memory[0].take(graph.Vertices * v.Width)
				inputs[v.Name].spread(n.known[v.ID], v.Width)
			}
		case v.Op == dataflow.Parameter && n.known[v.ID] == nil:
			n.known[v.ID] = make([]T, v.Rows*v.Width)
		case v.Op == dataflow.Number:
			n.known[v.ID] = []T{T(v.Number)}
		case v.Op == dataflow.Property && slices.ContainsFunc(graph.Ends[:], func(l Lists) bool {
			return len(l.Properties[v.Name]) != len(l.Others)
		}):
			return fmt.Errorf("edges have no property %s", v.Name)
		}
	}
	return nil
}

// stored is how many numbers a network that computes roots stores: of vertices, rows that come sparse and are needed
// dense among them, and of parameters; once, and each time, when what is not needed any more makes room. Its stages
// need some of the size of a workspace, for so many sections; less where sums are made by column.
func stored(values, roots []*dataflow.Value, vertices, sections int, givenSparse func(*dataflow.Value) bool,
	size *workspaceSize, byColumn bool) (once, each int) {
	schedule := dataflow.NewSchedule(values, roots...)
	ordered := dataflow.Order(values, roots...)
	sparse := dataflow.Sparse(ordered, givenSparse)
	for _, v := range ordered {
		if v.Op == dataflow.Input && givenSparse(v) && !sparse[v] {
			once += vertices * v.Width
		}
	}
	for _, stage := range schedule.Once {
		once += vertices * widths(stage.Stored)
	}
	_, numbers := places(schedule.Epoch, roots)
	size.need(schedule.Once, sparse, sections, byColumn)
	size.need(schedule.Epoch, sparse, sections, byColumn)
	return once + parameterNumbers(schedule.Once), vertices*numbers + parameterNumbers(schedule.Epoch)
}

// parameterNumbers is how many numbers the parameters have that stages compute.
func parameterNumbers(stages []dataflow.Stage) (numbers int) {
	for _, stage := range stages {
		numbers += sumNumbers(stage.Added()) + sumNumbers(stage.Small)
	}
	return numbers
}

// edges is how many edges an epoch looks at.
func (n *Network[T]) edges() (edges uint64) {
	for _, stage := range n.schedule.Epoch {
		for _, w := range stage.Waves {
			if len(w.Gathers) > 0 {
				edges += uint64(len(n.graph.Ends[stage.End].Others))
			}
		}
	}
	return edges
}

// Of is what is known of a root, or the numbers of a parameter, which may be changed between runs.
func (n *Network[T]) Of(v *dataflow.Value) []T { return n.known[v.ID] }

// Run goes through all passes once.
func (n *Network[T]) Run(ctx context.Context, dropout dataflow.Dropout) error {
	n.dropout = dropout
	for k := range n.passes {
		for i := range n.passes[k] {
			if k == 0 && n.ready {
				break
			}
			if err := n.run(ctx, &n.passes[k][i]); err != nil {
				return err
			}
		}
		n.ready = true
	}
	return nil
}

// sections are the largest.
func (n *Network[T]) sections() (most [2]extent) {
	for end, bounds := range n.graph.Sections {
		for k := range max(0, len(bounds)-1) {
			edges := n.graph.Ends[end].Offsets[bounds[k+1]] - n.graph.Ends[end].Offsets[bounds[k]]
			most[end] = extent{max(most[end].rows, bounds[k+1]-bounds[k]), max(most[end].edges, int(edges))}
		}
	}
	return most
}

// held is the most numbers of edges that have been held at a time.
func (n *Network[T]) held() (most int) {
	for _, passes := range n.passes {
		for _, p := range passes {
			for _, b := range p.blocks {
				if b != nil {
					most = max(most, b.work.held)
				}
			}
		}
	}
	return most
}

// keep takes memory for what a stage stores.
func (n *Network[T]) keep(stage *dataflow.Stage, memory *slab[T]) {
	for _, v := range stage.Stored {
		n.known[v.ID] = memory.take(n.graph.Vertices * v.Width)
	}
}

// share takes memory for what stages store at a time.
func (n *Network[T]) share(stages []dataflow.Stage, memory *slab[T]) {
	at, numbers := places(stages, n.roots)
	all := memory.take(n.graph.Vertices * numbers)
	for v, from := range at {
		from, to := n.graph.Vertices*from, n.graph.Vertices*(from+v.Width)
		n.known[v.ID] = all[from:to:to]
	}
}

// prepareSums takes the memory of a stage but for what it stores.
func (n *Network[T]) prepareSums(stage *dataflow.Stage, sections int, take *slab[T]) pass[T] {
	var columns []*dataflow.Value
	if n.byColumn {
		columns = columnSums(stage, n.sparse)
	}
	sums := without(stage.Added(), columns)
	p := pass[T]{Stage: stage, sums: sums, blocks: make([]*block[T], n.pool.Threads),
		partial: make([]map[*dataflow.Value][]T, sections), packs: map[*dataflow.Value]vector.Panels[T]{}}
	memory := n.work.packed
	for _, v := range products(stage, n.sparse) {
		size := v.Args[0].Width * v.Width
		p.packs[v], memory = vector.Panels[T]{K: v.Args[0].Width, N: v.Width, Of: memory[:size]}, memory[size:]
	}
	memory = n.work.partial
	for i := range p.partial {
		p.partial[i] = map[*dataflow.Value][]T{}
		for _, v := range p.sums {
			p.partial[i][v], memory = memory[:v.Rows*v.Width], memory[v.Rows*v.Width:]
		}
	}
	for _, v := range slices.Concat(stage.Added(), stage.Small) {
		n.known[v.ID] = take.take(v.Rows * v.Width)
	}
	return p
}

// pack takes the matrices that a pass multiplies by, as they are now.
func (n *Network[T]) pack(p *pass[T]) {
	for v, panels := range p.packs {
		panels.Pack(n.known[v.Args[1].ID], v.Op == dataflow.ProductTransposed)
	}
}

// run does one pass: sections in any order, by any worker; then it adds up what they summed, in order.
func (n *Network[T]) run(ctx context.Context, p *pass[T]) error {
	bounds := n.graph.Sections[p.End]
	n.pack(p)
	err := n.pool.Run(ctx, len(p.partial), func(worker, section int) {
		if p.blocks[worker] == nil {
			p.blocks[worker] = newBlock(n, p, worker)
		}
		for _, v := range p.sums {
			clear(p.partial[section][v])
		}
		for _, c := range p.columns.sums {
			c.draw(n.dropout, bounds[section], bounds[section+1])
		}
		p.blocks[worker].section(bounds[section], bounds[section+1], p.partial[section])
	})
	if err == nil {
		err = n.sumColumns(ctx, p)
	}
	if err == nil {
		n.finish(p)
	}
	return err
}

// finish adds up what sections have summed, in order, and computes the parameters that are made of that.
func (n *Network[T]) finish(p *pass[T]) {
	for _, v := range p.sums {
		clear(n.known[v.ID])
		for _, partial := range p.partial {
			weightedSum(n.known[v.ID], partial[v], nil, nil, 1, 0, 0)
		}
	}
	for _, v := range p.Small {
		n.small(v, n.known[v.ID])
	}
}

// small computes a parameter of parameters.
func (n *Network[T]) small(v *dataflow.Value, out []T) {
	args := make([]operand[T], len(v.Args))
	for i, a := range v.Args {
		args[i] = operand[T]{data: n.known[a.ID], width: a.Width, one: a.Rows == 1}
	}
	switch v.Op {
	case dataflow.SumRows:
		clear(out)
		for i := range v.Args[0].Rows {
			add(out, args[0].row(i))
		}
	case dataflow.Outer:
		clear(out)
		outer(out, v.Args[0].Rows, args[0], args[1])
	default:
		compute(v, out, v.Rows, args, n.known, func(mask *dataflow.Value) drawn {
			d := drawn{n.dropout.Key(mask), make([]uint64, v.Rows)}
			vector.VertexKeys(d.keys, 0, d.of)
			return d
		})
	}
}
