package aggregate

import (
	"errors"
	"math"
	"runtime"
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	scalar "github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"

	"golang.org/x/sync/errgroup"
)

// An aggregate over many nodes, in a transaction that only reads, is computed on all processors:
//
//	nodes [0, a) ──▶ rows ──▶ groups ─┐
//	nodes [a, b) ──▶ rows ──▶ groups ─┼─in this order─▶ groups
//	nodes [b, …) ──▶ rows ──▶ groups ─┘
//
// Only aggregates are divided whose parts add up to exactly what one goroutine computes, whatever
// the parts are: not sums of floats. Should that turn out on the way, or anything else go wrong,
// one goroutine begins again, and finds the fault if there is one.

// errUndivided says that one goroutine has to begin again.
var errUndivided = errors.New("execute: an aggregate has to be computed in one piece")

const (
	leastDivided = 1 << 14 // nodes: fewer are not worth goroutines
	partsEach    = 4       // of each processor, as parts are not equally long
)

// Divisible tells whether an aggregate can be computed from parts of the nodes that its input
// begins with.
func Divisible(o *plan.Aggregate) bool {
	if !fromNodes(o.Input) {
		return false
	}
	for _, key := range o.Keys {
		if !alike(key.Expression) {
			return false
		}
	}
	return !slices.ContainsFunc(o.Values, func(a plan.Aggregation) bool {
		return a.Distinct || !slices.Contains([]string{"count(*)", "count", "sum", "min", "max"}, a.Function) ||
			!allAlike(a.Arguments)
	})
}

// fromNodes tells whether rows follow each from one node of a scan, and the graph.
func fromNodes(op plan.Operator) bool {
	switch op := op.(type) {
	case *plan.AllNodes:
		return isArgument(op.Input)
	case *plan.NodesByLabel:
		return isArgument(op.Input)
	case *plan.Expand:
		return fromNodes(op.Input)
	case *plan.Degree:
		return fromNodes(op.Input)
	case *plan.Filter:
		return alike(op.Where) && fromNodes(op.Input)
	case *plan.Project:
		return fromNodes(op.Input) && !slices.ContainsFunc(op.Items,
			func(a plan.Assignment) bool { return !alike(a.Expression) })
	}
	return false
}

func isArgument(op plan.Operator) bool {
	_, is := op.(*plan.Argument)
	return is
}

// alike tells whether an expression has the same value in every goroutine.
func alike(e ast.Expression) bool {
	switch e := e.(type) {
	case nil, *ast.Literal, *ast.Parameter, *plan.Slot:
		return true
	case *ast.Property, *ast.HasLabels, *ast.ListLiteral, *ast.Unary, *ast.Binary, *ast.Case:
		return allAlike(ast.Operands(e))
	case *ast.Call:
		f, ok := scalar.Lookup(e.Function)
		return ok && f.Pure && f.Call != nil && allAlike(e.Arguments)
	}
	return false
}

func allAlike(list []ast.Expression) bool {
	return !slices.ContainsFunc(list, func(e ast.Expression) bool { return !alike(e) })
}

// Part compiles an aggregate and its input for the frame of a part of the nodes; take is given the
// records of the part, and gives what takes its rows.
type Part func(f *frame.Frame, take func(r *Records) frame.Emit) (run frame.Emit, err error)

// divided computes an aggregate in parts; nil: it has to be computed in one piece.
func divided(r *Records, compile Part) *groups {
	nodes := parts(r.Graph)
	if len(nodes) == 0 {
		return nil
	}
	tables := make([]*groups, len(nodes))
	group, ctx := errgroup.WithContext(r.Ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range nodes {
		f := r.Part(ctx, nodes[i], r.Budget.Part(ctx, int64(2*len(nodes))))
		group.Go(func() (err error) {
			tables[i], err = ofPart(f, compile, math.MaxInt64/uint64(2*len(nodes)))
			return err
		})
	}
	err := group.Wait()
	defer func() {
		for _, table := range tables {
			if table != nil {
				table.Budget.Close()
			}
		}
	}()
	if err != nil {
		return nil
	}
	return together(r, tables)
}

// parts are parts of the graph for goroutines to read; none: there are too few nodes or processors, or
// the transaction can not be shared. All are there before the first is read.
func parts(g frame.Graph) []frame.Graph {
	reader, ok := g.(interface{ Share() (*store.Tx, bool) })
	threads := runtime.GOMAXPROCS(0)
	if !ok || threads < 2 || g.NodeCount() < leastDivided {
		return nil
	}
	all := make([]frame.Graph, partsEach*threads)
	each := g.NodeCount()/uint64(len(all)) + 1
	for i := range all {
		tx, ok := reader.Share()
		if !ok {
			return nil
		}
		nodes := part{tx, uint64(i) * each, uint64(i+1) * each}
		if i == len(all)-1 {
			nodes.to = math.MaxUint64
		}
		all[i] = nodes
	}
	return all
}

// part is a graph of which a scan sees a part.
type part struct {
	*store.Tx
	from, to uint64
}

func (p part) Nodes(yield func(id uint64) bool) error { return p.NodesBetween(p.from, p.to, yield) }

func (p part) NodesWithAny(labels []store.Token, from, to uint64, yield func(id uint64) bool) error {
	return p.Tx.NodesWithAny(labels, max(from, p.from), min(to, p.to), yield)
}

// ofPart computes the groups of a part, with its share of the memory that is left, and of what sums
// may come to.
func ofPart(f *frame.Frame, compile Part, sums uint64) (table *groups, err error) {
	defer func() {
		if recover() != nil { // the goroutine that begins again meets it, too
			err = errUndivided
		}
		if err != nil {
			f.Budget.Close()
		}
	}()
	run, err := compile(f, func(r *Records) frame.Emit {
		table = newGroups(r, 0)
		return func() error { return takeExactly(r, table, &sums) }
	})
	if err != nil {
		return nil, err
	}
	if err := run(); err != nil {
		return nil, err
	}
	return table, nil
}

// takeExactly adds the row, if there is room for its group. Sums have to be of integers that come
// to no more than sums, all taken as positive: then no order of adding them overflows.
func takeExactly(r *Records, table *groups, sums *uint64) error {
	if err := r.evaluate(); err != nil {
		return err
	}
	for i := range r.functions {
		v := r.record[r.functions[i].first]
		if r.Values[i].Function != "sum" || v.IsNull() {
			continue
		}
		if v.Kind() != value.Int || magnitude(v.Int()) > *sums {
			return errUndivided
		}
		*sums -= magnitude(v.Int())
	}
	err := table.add(r.record)
	if table.partitions != nil {
		table.drop()
		return errUndivided
	}
	return err
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// together are the groups of all parts, in the order in which one goroutine would have met them.
func together(r *Records, tables []*groups) *groups {
	whole := newGroups(r, 0)
	for _, table := range tables {
		if whole.join(table) != nil {
			whole.own.Clear()
			return nil
		}
	}
	return whole
}

// join adds the groups of another table.
func (g *groups) join(other *groups) error {
	n := len(g.functions)
	for number := range other.len() {
		key, theirs := other.keys.Row(number), other.values[number*n:(number+1)*n]
		mine, ok := g.keys.Lookup(key)
		if !ok {
			var err error
			if mine, err = g.create(key); err != nil {
				return err
			}
		}
		for i, one := range g.values[mine*n : (mine+1)*n] {
			if err := merge(one, theirs[i], g.own); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge adds what an aggregator has of a later part.
func merge(to, from aggregator, t *budget.Tally) error {
	switch to := to.(type) {
	case *counting:
		to.count += from.(*counting).count
		return nil
	case *summing, *extreme:
		v, err := from.result()
		if err == nil && !v.IsNull() {
			err = to.add([]value.Value{v}, t)
		}
		return err
	}
	return errUndivided
}
