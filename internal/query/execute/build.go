package execute

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/aggregate"
	"github.com/penstock-db/penstock/internal/query/execute/internal/call"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expand"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/join"
	"github.com/penstock-db/penstock/internal/query/execute/internal/materialize"
	"github.com/penstock-db/penstock/internal/query/execute/internal/path"
	"github.com/penstock-db/penstock/internal/query/execute/internal/scan"
	"github.com/penstock-db/penstock/internal/query/execute/internal/stream"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// builder builds the operators of a plan over one frame.
type builder struct {
	*expression.Compiler
	frame   *frame.Frame
	profile *profile                                   // nil: it is not measured
	yield   func(row []value.Value, bytes int64) error // takes the rows of Result
}

// build builds the operators of a plan, which then run as one.
func build(f *frame.Frame, root plan.Operator, measured *profile,
	yield func(row []value.Value, bytes int64) error) (frame.Emit, error) {
	b := newBuilder(f, measured, yield)
	run := b.operator(root, frame.Nothing)
	return run, b.Err()
}

func newBuilder(f *frame.Frame, measured *profile, yield func(row []value.Value, bytes int64) error) *builder {
	b := &builder{frame: f, profile: measured, yield: yield}
	b.Compiler = expression.NewCompiler(f, b.operator)
	return b
}

// operator builds an operator that emits its rows to next.
func (b *builder) operator(op plan.Operator, next frame.Emit) frame.Emit {
	if b.profile == nil {
		return b.scan(op, next)
	}
	return b.profile.measured(op.Number(), next, func(next frame.Emit) frame.Emit { return b.scan(op, next) })
}

// child is an operator that is built when its parent gives what takes its rows.
func (b *builder) child(op plan.Operator) frame.Input {
	return func(next frame.Emit) frame.Emit { return b.operator(op, next) }
}

// scan builds an operator that finds nodes; others are built by the functions below, each of which hands
// on what it does not know.
func (b *builder) scan(op plan.Operator, next frame.Emit) frame.Emit {
	f := b.frame
	switch op := op.(type) {
	case *plan.Argument:
		return next
	case *plan.AllNodes:
		return scan.AllNodes(f, b.child(op.Input), op.Slot, b.kept(true), next)
	case *plan.NodesByLabel:
		return scan.NodesByLabel(f, b.child(op.Input), op.Slot, op.Labels, b.kept(true), next)
	case *plan.NodesByID:
		return scan.NodesByID(f, b.child(op.Input), op.Slot, b.Expression(op.IDs), op.List, next)
	case *plan.NodeBySeek:
		return scan.NodeBySeek(f, b.child(op.Input), op.Slot, op.Index, b.Expression(op.Value), op.List, next)
	case *plan.NodeByRange:
		return scan.NodeByRange(f, b.child(op.Input), op.Slot, op.Index, b.end(op.From), b.end(op.To), b.keptRange(op), next)
	}
	return b.follow(op, next)
}

// kept is where the nodes of a scan are kept, from its second row on if it may have one alone; nil: they are not, as
// where a plan changes the graph between rows.
func (b *builder) kept(once bool) *scan.Kept {
	if b.frame.Writes {
		return nil
	}
	return scan.Keep(b.frame, once)
}

// keptRange is kept for a range that is the same for each row. An operator that takes the row of its plan may run once
// or more often.
func (b *builder) keptRange(op *plan.NodeByRange) *scan.Kept {
	if !op.Same {
		return nil
	}
	_, begins := op.Input.(*plan.Argument)
	return b.kept(begins)
}

// end compiles one end of a range.
func (b *builder) end(l *plan.Limiting) scan.End {
	if l == nil {
		return scan.End{}
	}
	return scan.End{Value: b.Expression(l.Value), Inclusive: l.Inclusive}
}

// follow builds an operator that follows relationships.
func (b *builder) follow(op plan.Operator, next frame.Emit) frame.Emit {
	f := b.frame
	switch op := op.(type) {
	case *plan.Expand:
		return expand.Expand(f, b.child(op.Input), op, next)
	case *plan.RelationshipEnds:
		return expand.RelationshipEnds(f, b.child(op.Input), op, next)
	case *plan.Degree:
		return expand.Degree(f, b.child(op.Input), op, next)
	case *plan.VarExpand:
		return expand.VarExpand(f, b.child(op.Input), op, b.Predicate(op.Where), next)
	case *plan.Shortest:
		return path.Shortest(f, b.child(op.Input), op, b.Predicate(op.Where), next)
	case *plan.Path:
		return path.Join(f, b.child(op.Input), op.Slot, op.Parts, next)
	}
	return b.stream(op, next)
}

// stream builds an operator that makes rows of one row at a time.
func (b *builder) stream(op plan.Operator, next frame.Emit) frame.Emit {
	f := b.frame
	switch op := op.(type) {
	case *plan.Filter:
		return stream.Filter(f, b.child(op.Input), b.Predicate(op.Where), next)
	case *plan.Project:
		slots, expressions := b.assignments(op.Items)
		return stream.Project(f, b.child(op.Input), slots, expressions, next)
	case *plan.Distinct:
		return stream.Distinct(f, b.child(op.Input), op.Slots, next)
	case *plan.Skip:
		return stream.Skip(f, b.child(op.Input), b.count("SKIP", op.Count), next)
	case *plan.Limit:
		return stream.Limit(f, b.child(op.Input), b.count("LIMIT", op.Count), op.Exhaust, next)
	case *plan.Unwind:
		if list, ok := op.List.(*ast.Call); ok && strings.EqualFold(list.Function, "range") {
			return stream.UnwindRange(f, b.child(op.Input), op.Slot, b.Expressions(list.Arguments), next)
		}
		return stream.Unwind(f, b.child(op.Input), op.Slot, b.Expression(op.List), next)
	case *plan.CallProcedure:
		return call.Procedure(f, b.child(op.Input), op.Procedure, b.Expressions(op.Arguments), op.Columns, next)
	case *plan.Result:
		return stream.Result(f, b.child(op.Input), op.Slots, b.yield, next)
	}
	return b.gather(op, next)
}

func (b *builder) assignments(items []plan.Assignment) (slots []int, expressions []expression.Evaluator) {
	for _, item := range items {
		slots, expressions = append(slots, item.Slot), append(expressions, b.Expression(item.Expression))
	}
	return slots, expressions
}

// count compiles the number of a SKIP or LIMIT.
func (b *builder) count(clause string, e ast.Expression) stream.Count {
	return stream.CountOf(clause, b.Expression(e))
}

// gather builds an operator that looks at many rows, or runs a second plan.
func (b *builder) gather(op plan.Operator, next frame.Emit) frame.Emit {
	f := b.frame
	switch op := op.(type) {
	case *plan.Sort:
		return materialize.Sort(f, b.child(op.Input), b.sortKeys(op.Keys), op.Live, b.most(op), next)
	case *plan.Eager:
		return materialize.Eager(f, b.child(op.Input), op.Live, next)
	case *plan.Aggregate:
		return aggregate.Aggregate(b.child(op.Input), b.records(op), b.part(op), next)
	case *plan.Union:
		parts := make([]frame.Input, len(op.Parts))
		for i, part := range op.Parts {
			parts[i] = b.child(part)
		}
		return join.Union(b.child(op.Input), parts, next)
	case *plan.Optional:
		return join.Optional(f, b.child(op.Input), b.child(op.Plan), op.Slots, next)
	case *plan.Apply:
		if op.Unit {
			return join.ApplyUnit(b.child(op.Input), b.child(op.Plan), next)
		}
		return join.Apply(b.child(op.Input), b.child(op.Plan), next)
	case *plan.HashJoin:
		_, once := op.Input.(*plan.Argument)
		return join.HashJoin(f, b.child(op.Input), b.child(op.Plan), b.Expression(op.Left), b.Expression(op.Right), op.Live,
			once, next)
	}
	return b.write(op, next)
}

func (b *builder) sortKeys(keys []plan.SortKey) []materialize.Key {
	all := make([]materialize.Key, len(keys))
	for i, key := range keys {
		all[i] = materialize.Key{Value: b.Expression(key.Expression), Descending: key.Descending}
	}
	return all
}

// most is the sum of SKIP and LIMIT; nil: there is no LIMIT.
func (b *builder) most(op *plan.Sort) stream.Count {
	if op.Limit == nil {
		return nil
	}
	limit := b.count("LIMIT", op.Limit)
	if op.Skip == nil {
		return limit
	}
	return stream.Sum(limit, b.count("SKIP", op.Skip))
}

// records compiles the keys of an aggregate, and the arguments of its functions.
func (b *builder) records(op *plan.Aggregate) *aggregate.Records {
	_, keys := b.assignments(op.Keys)
	arguments := make([][]expression.Evaluator, len(op.Values))
	for i := range op.Values {
		arguments[i] = b.Expressions(op.Values[i].Arguments)
	}
	records, err := aggregate.NewRecords(b.frame, op, keys, arguments)
	if err != nil {
		b.Fail(err)
	}
	return records
}

// part builds the aggregate again for the frame of each part of the nodes; nil: it is not computed in parts.
func (b *builder) part(op *plan.Aggregate) aggregate.Part {
	if b.profile != nil || b.frame.Writes || !aggregate.Divisible(op) {
		return nil
	}
	return func(f *frame.Frame, take func(*aggregate.Records) frame.Emit) (frame.Emit, error) {
		p := newBuilder(f, nil, nil)
		records := p.records(op)
		if err := p.Err(); err != nil {
			return nil, err
		}
		run := p.operator(op.Input, take(records))
		return run, p.Err()
	}
}

// unknown fails for an operator that there is no function for.
func (b *builder) unknown(op plan.Operator, next frame.Emit) frame.Emit {
	b.Fail(fmt.Errorf("execute: no operator for %T", op))
	return next
}
