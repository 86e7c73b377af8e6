package execute

import (
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// merge takes all matches of a row before it goes on: what follows may change them.
func (b *builder) merge(o *plan.Merge, next emit) emit {
	matches := b.keep("MERGE", o.Live)
	match, creates, check := b.operator(o.Match, matches.add), b.pattern(&o.Pattern), b.noNulls(&o.Pattern)
	onMatch, onCreate := b.changes(o.OnMatch), b.changes(o.OnCreate)
	return b.operator(o.Input, func() error {
		defer matches.drop()
		if err := check(); err != nil {
			return err
		}
		if err := match(); err != nil {
			return err
		}
		if matches.count == 0 {
			return inTurn(creates, onCreate, next)
		}
		return matches.emitAll(func() error { return inTurn(onMatch, next) })
	})
}

func inTurn(steps ...emit) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// noNulls refuses properties of a MERGE that are null: nothing could match what it creates.
func (b *builder) noNulls(p *plan.Pattern) emit {
	var all []func() error
	for _, n := range p.Nodes {
		all = append(all, b.noNull(n.Properties))
	}
	for _, r := range p.Relationships {
		all = append(all, b.noNull(r.Properties))
	}
	return func() error {
		for _, check := range all {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

func (b *builder) noNull(properties ast.Expression) func() error {
	entries := b.entries(properties)
	return func() error {
		all, err := entries()
		if err != nil {
			return err
		}
		for _, e := range all {
			if e.Value.IsNull() {
				return fault.Met(fault.SemanticError, "MergeReadOwnWrites", "MERGE can't use null for the property %s: nothing equals null", e.Key)
			}
		}
		return nil
	}
}
