package neural

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// Network is a program that is run over a graph, again and again, while its parameters change.
type Network[T number] struct {
	graph    Graph
	pool     parallel.Pool
	schedule dataflow.Schedule
	bounds   [2][]int // of sections, by end
	known    map[*dataflow.Value][]T
	sparse   map[*dataflow.Value]bool
	given    map[*dataflow.Value]Rows[T] // of inputs that are sparse
	passes   [2][]pass[T]                // once, and each time
	dropout  dataflow.Dropout
	ready    bool // what is fixed has been computed
}

// pass is a stage with what it needs to run.
type pass[T number] struct {
	*dataflow.Stage
	sums    []*dataflow.Value
	blocks  []*block[T]               // of each worker; nil: it has had nothing to do yet
	partial []map[*dataflow.Value][]T // of each section, its part of sums
}

// New makes a network that computes roots of inputs, the rows of all vertices. Parameters are 0 at first; see Of.
func New[T number](graph Graph, pool parallel.Pool, values []*dataflow.Value, inputs map[string]Rows[T],
	roots ...*dataflow.Value) (*Network[T], error) {
	n := &Network[T]{graph: graph, pool: pool, schedule: dataflow.NewSchedule(values, roots...),
		known: map[*dataflow.Value][]T{}, given: map[*dataflow.Value]Rows[T]{}}
	n.sparse = sparseValues(dataflow.Order(values, roots...), func(v *dataflow.Value) bool {
		return inputs[v.Name].Offsets != nil
	})
	for i := range n.bounds {
		n.bounds[i] = cut(graph.Vertices, graph.Ends[i])
	}
	for k, stages := range [][]dataflow.Stage{n.schedule.Once, n.schedule.Epoch} {
		for i := range stages {
			n.passes[k] = append(n.passes[k], n.prepare(&stages[i]))
		}
	}
	for _, v := range values {
		switch {
		case v.Op == dataflow.Input && !inputs[v.Name].fits(graph.Vertices, v.Width):
			return nil, fmt.Errorf("input %s does not have %d rows of %d numbers", v.Name, graph.Vertices, v.Width)
		case v.Op == dataflow.Input && n.sparse[v]:
			n.given[v] = inputs[v.Name]
		case v.Op == dataflow.Input:
			if n.known[v] = inputs[v.Name].Dense; inputs[v.Name].Offsets != nil {
				n.known[v] = inputs[v.Name].dense(graph.Vertices, v.Width)
			}
		case v.Op == dataflow.Parameter:
			n.known[v] = make([]T, v.Rows*v.Width)
		case v.Op == dataflow.Number:
			n.known[v] = []T{T(v.Number)}
		case v.Op == dataflow.Property && slices.ContainsFunc(graph.Ends[:], func(l Lists) bool {
			return len(l.Properties[v.Name]) != len(l.Others)
		}):
			return nil, fmt.Errorf("edges have no property %s", v.Name)
		}
	}
	return n, nil
}

// needs is what a network that computes roots holds at most: what is stored, partial sums, rows that come sparse and
// are needed dense, and the blocks of each worker.
func needs[T number](values []*dataflow.Value, roots []*dataflow.Value, vertices, threads int,
	givenSparse func(*dataflow.Value) bool) (bytes uint64) {
	numbers, schedule := 0, dataflow.NewSchedule(values, roots...)
	ordered := dataflow.Order(values, roots...)
	sparse := sparseValues(ordered, givenSparse)
	for _, v := range ordered {
		if v.Op == dataflow.Input && givenSparse(v) && !sparse[v] {
			numbers += vertices * v.Width
		}
	}
	for _, stage := range append(slices.Clone(schedule.Once), schedule.Epoch...) {
		for _, v := range stage.Stored {
			numbers += vertices * v.Width
		}
		for _, v := range added(stage) {
			numbers += (sections + 1) * v.Rows * v.Width
		}
		for _, w := range stage.Waves {
			numbers += threads * (blockRows*widths(w.Rows) + blockRows*widths(w.Gathers) + tileEdges*(widths(w.Edges)+3))
		}
	}
	return uint64(numbers) * uint64(unsafe.Sizeof(*new(T)))
}

func widths(values []*dataflow.Value) (sum int) {
	for _, v := range values {
		sum += v.Width
	}
	return sum
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
func (n *Network[T]) Of(v *dataflow.Value) []T { return n.known[v] }

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

// added lists what a stage adds up over rows or edges.
func added(stage dataflow.Stage) []*dataflow.Value {
	list := slices.Clone(stage.Sums)
	for _, w := range stage.Waves {
		for _, v := range w.Gathers {
			if v.Op == dataflow.Outer {
				list = append(list, v)
			}
		}
	}
	return list
}

// prepare takes the memory of a stage.
func (n *Network[T]) prepare(stage *dataflow.Stage) pass[T] {
	p := pass[T]{Stage: stage, sums: added(*stage), blocks: make([]*block[T], n.pool.Threads),
		partial: make([]map[*dataflow.Value][]T, len(n.bounds[stage.End])-1)}
	for _, v := range stage.Stored {
		n.known[v] = make([]T, n.graph.Vertices*v.Width)
	}
	for i := range p.partial {
		p.partial[i] = map[*dataflow.Value][]T{}
		for _, v := range p.sums {
			p.partial[i][v] = make([]T, v.Rows*v.Width)
		}
	}
	for _, v := range append(slices.Clone(p.sums), stage.Small...) {
		n.known[v] = make([]T, v.Rows*v.Width)
	}
	return p
}

// run does one pass: sections in any order, by any worker; then it adds up what they summed, in order.
func (n *Network[T]) run(ctx context.Context, p *pass[T]) error {
	bounds := n.bounds[p.End]
	err := n.pool.Run(ctx, len(p.partial), func(worker, section int) {
		if p.blocks[worker] == nil {
			p.blocks[worker] = newBlock(n, p.Stage)
		}
		for _, v := range p.sums {
			clear(p.partial[section][v])
		}
		p.blocks[worker].section(bounds[section], bounds[section+1], p.partial[section])
	})
	if err != nil {
		return err
	}
	for _, v := range p.sums {
		clear(n.known[v])
		for _, partial := range p.partial {
			weightedSum(n.known[v], partial[v], nil, nil, 1, 0, 0)
		}
	}
	for _, v := range p.Small {
		n.small(v, n.known[v])
	}
	return nil
}

// small computes a parameter of parameters.
func (n *Network[T]) small(v *dataflow.Value, out []T) {
	args := make([]operand[T], len(v.Args))
	for i, a := range v.Args {
		args[i] = operand[T]{data: n.known[a], width: a.Width, one: a.Rows == 1}
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
		compute(v, out, v.Rows, args, n.known, func(mask *dataflow.Value) func(int) dataflow.MaskRow {
			key := n.dropout.Key(mask)
			return func(i int) dataflow.MaskRow { return key.Row(uint64(i)) }
		})
	}
}
