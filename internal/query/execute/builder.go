package execute

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// emit takes the row that the frame has. An operator is one as well: run, it makes its rows and
// emits each to the next.
type emit func() error

// builder compiles the operators and expressions of a plan for one run.
type builder struct {
	*frame
	yield   func(row []value.Value, bytes int64) error
	profile *profile
	owner   int // the number of the operator that is being built
	err     error
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// operator compiles an operator that emits its rows to next.
func (b *builder) operator(op plan.Operator, next emit) emit {
	if b.profile == nil {
		return b.build(op, next)
	}
	number, above := op.Number(), b.owner
	counters := &b.profile.operators[number]
	leave := b.profile.within(above, next)
	b.owner = number
	run := b.build(op, func() error {
		counters.Rows++
		return leave()
	})
	b.owner = above
	return b.profile.within(number, run)
}

func (b *builder) build(op plan.Operator, next emit) emit {
	switch op := op.(type) {
	case *plan.Argument:
		return next
	case *plan.AllNodes:
		return b.allNodes(op, next)
	case *plan.NodesByLabel:
		return b.nodesByLabel(op, next)
	case *plan.NodesByID:
		return b.nodesByID(op, next)
	case *plan.NodeBySeek:
		return b.nodeBySeek(op, next)
	case *plan.NodeByRange:
		return b.nodeByRange(op, next)
	case *plan.RelationshipEnds:
		return b.relationshipEnds(op, next)
	case *plan.Expand:
		return b.expand(op, next)
	case *plan.Degree:
		return b.degree(op, next)
	case *plan.VarExpand:
		return b.varExpand(op, next)
	case *plan.Shortest:
		return b.shortest(op, next)
	case *plan.Path:
		return b.path(op, next)
	}
	return b.buildRows(op, next)
}

func (b *builder) buildRows(op plan.Operator, next emit) emit {
	switch op := op.(type) {
	case *plan.Filter:
		return b.filter(op, next)
	case *plan.Project:
		return b.project(op, next)
	case *plan.Distinct:
		return b.distinct(op, next)
	case *plan.Sort:
		return b.sort(op, next)
	case *plan.Skip:
		return b.skip(op, next)
	case *plan.Limit:
		return b.limit(op, next)
	case *plan.Aggregate:
		return b.aggregate(op, next)
	case *plan.Unwind:
		return b.unwind(op, next)
	case *plan.Union:
		return b.union(op, next)
	case *plan.Optional:
		return b.optional(op, next)
	case *plan.Apply:
		return b.apply(op, next)
	case *plan.HashJoin:
		return b.hashJoin(op, next)
	case *plan.CallProcedure:
		return b.callProcedure(op, next)
	case *plan.Eager:
		return b.eager(op, next)
	case *plan.Result:
		return b.result(op, next)
	}
	return b.buildWrites(op, next)
}

func (b *builder) buildWrites(op plan.Operator, next emit) emit {
	switch op := op.(type) {
	case *plan.Create:
		return b.create(op, next)
	case *plan.Merge:
		return b.merge(op, next)
	case *plan.Set:
		return b.set(op, next)
	case *plan.Delete:
		return b.delete(op, next)
	case *plan.Foreach:
		return b.foreach(op, next)
	}
	b.fail(fmt.Errorf("execute: no operator for %T", op))
	return next
}
