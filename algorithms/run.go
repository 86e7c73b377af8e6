package algorithms

import (
	"math"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// RunProgram runs p on g as doc.go defines it, one expression at a time in cel-go's own
// evaluator: slow, and plain enough to be believed. It returns the state columns and
// the number of iterations. p is checked against g and not changed.
func RunProgram(g *Graph, p *Program) ([]Values, int, error) {
	r, err := newRun(g.withSums(p), p)
	if err != nil {
		return nil, 0, err
	}
	if err := r.init(); err != nil {
		return nil, 0, err
	}
	bound := r.program.Bound(uint64(g.N()))
	converged := g.N() == 0
	iterations := 0
	for iterations < bound && (r.program.Exactly || !converged) {
		iterations++
		if converged, err = r.iterate(); err != nil {
			return nil, iterations, err
		}
	}
	if err := p.Divergence(r.state[0], iterations, converged); err != nil {
		return nil, iterations, err
	}
	return r.state, iterations, nil
}

// run is a program under way.
type run struct {
	graph      *Graph
	program    *Program
	process    *expression
	inits      []*expression
	applies    []*expression // nil where a column has none
	aggregates []*expression

	properties []Values // what the graph has of them

	state  []Values
	active []bool
	sums   map[string]float64 // aggregates of this iteration
}

func newRun(g *Graph, p *Program) (*run, error) {
	own := *p
	own.State, own.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := Check(&own, g.EdgeColumns()); err != nil {
		return nil, err
	}
	r := &run{graph: g, program: &own, active: make([]bool, g.N()), sums: map[string]float64{}}
	var err error
	if r.properties, err = g.properties(&own); err != nil {
		return nil, err
	}
	plan := func(e Expr) *expression {
		if err != nil || e.Checked == nil {
			return nil
		}
		var planned *expression
		planned, err = newExpression(e)
		return planned
	}
	r.process = plan(own.Process)
	for _, s := range own.State {
		r.inits = append(r.inits, plan(s.Init))
		r.applies = append(r.applies, plan(s.Apply))
		r.state = append(r.state, NewValues(Column{Name: s.Name, Type: s.Type}, g.N()))
	}
	for _, a := range own.Aggregates {
		r.aggregates = append(r.aggregates, plan(a.Expr))
	}
	return r, err
}

// init gives every column its first values and finds who sends first.
func (r *run) init() error {
	for c, init := range r.inits {
		for v := range r.graph.N() {
			value, err := init.evaluate(func(name string) ref.Val { return r.vertexValue(name, v) })
			if err != nil {
				return err
			}
			r.state[c].set(v, value)
		}
	}
	identity := NewValues(r.state[0].Column, r.graph.N())
	identity.fillIdentity(r.program.Reduce)
	for v := range r.active {
		r.active[v] = r.program.Activity == Always || !r.state[0].Same(identity, v)
	}
	return nil
}

// iterate does one iteration and says whether the program has converged.
func (r *run) iterate() (converged bool, err error) {
	acc := r.noMessages()
	for _, lists := range r.directions() {
		if err := r.send(lists, acc); err != nil {
			return false, err
		}
	}
	p, err := r.advance(acc)
	return p.converged, err
}

// noMessages is what has arrived at each vertex before anything is sent.
func (r *run) noMessages() Values {
	acc := NewValues(Column{Name: "acc", Type: r.process.result}, r.graph.N())
	acc.fillIdentity(r.program.Reduce)
	return acc
}

// advance ends an iteration in which acc has arrived.
func (r *run) advance(acc Values) (progress, error) {
	if err := r.aggregate(); err != nil {
		return progress{}, err
	}
	before := r.state
	var err error
	if r.state, err = r.apply(acc); err != nil {
		return progress{}, err
	}
	return r.settle(before[0], r.state[0]), nil
}

func (r *run) aggregate() error {
	for i, a := range r.aggregates {
		sum := 0.0
		for v := range r.graph.N() {
			value, err := a.evaluate(r.self(v))
			if err != nil {
				return err
			}
			sum += float64(value.(types.Double))
		}
		r.sums[r.program.Aggregates[i].Name] = sum
	}
	return nil
}

// send lets every active vertex send along lists.
func (r *run) send(lists Lists, acc Values) error {
	for u := range r.graph.N() {
		if !r.active[u] {
			continue
		}
		if err := r.sendAlong(lists, u, acc); err != nil {
			return err
		}
	}
	return nil
}

// directions are the lists along which messages leave a vertex.
func (r *run) directions() []Lists {
	switch {
	case r.program.Edges == Forward || !r.graph.Directed:
		return []Lists{r.graph.Out}
	case r.program.Edges == Backward:
		return []Lists{r.graph.In}
	}
	return []Lists{r.graph.Out, r.graph.In}
}

func (r *run) sendAlong(lists Lists, u int, acc Values) error {
	for k := lists.Offsets[u]; k < lists.Offsets[u+1]; k++ {
		v := int(lists.Neighbors[k])
		message, err := r.process.evaluate(func(name string) ref.Val {
			switch qualifier, field := cutLast(name); qualifier {
			case "src.":
				return r.vertexValue(field, u)
			case "dst.":
				return r.vertexValue(field, v)
			}
			return types.Double(lists.Columns[strings.TrimPrefix(name, "edge.")][k])
		})
		if err != nil {
			return err
		}
		acc.combine(r.program.Reduce, v, message)
	}
	return nil
}

// apply computes the next state of every vertex from the present one.
func (r *run) apply(acc Values) ([]Values, error) {
	next := make([]Values, len(r.state))
	for c, column := range r.state {
		next[c] = NewValues(column.Column, r.graph.N())
		for v := range r.graph.N() {
			next[c].set(v, column.at(v))
			switch {
			case r.applies[c] != nil:
				value, err := r.applies[c].evaluate(r.applied(v, acc))
				if err != nil {
					return nil, err
				}
				next[c].set(v, value)
			case c == 0:
				next[c].combine(r.program.Reduce, v, acc.at(v))
			}
		}
	}
	return next, nil
}

// settle finds who sends next, and how far the program has come.
func (r *run) settle(before, after Values) progress {
	var p progress
	for v := range r.active {
		if r.program.Activity == Changed {
			r.active[v] = !before.Same(after, v)
		}
		if r.active[v] {
			p.active++
		}
		if old, new := before.number(v), after.number(v); old != new {
			p.change = r.program.Norm.add(p.change, math.Abs(new-old))
		}
	}
	p.converged = p.active == 0 || (r.program.Norm != NoNorm && p.change <= r.program.Tolerance)
	return p
}

// progress is how far a run has come after an iteration.
type progress struct {
	active    uint64
	change    float64
	converged bool
}

// add takes the change of one more vertex into account.
func (n Norm) add(change, of float64) float64 {
	if n == LInf {
		return max(change, of)
	}
	return change + of
}

// vertexValue is an input or a state column of vertex v, or n.
func (r *run) vertexValue(name string, v int) ref.Val {
	switch name {
	case "id":
		return types.Int(r.graph.IDs[v])
	case "out_degree":
		return types.Int(r.graph.Out.Degree(v))
	case "in_degree":
		return types.Int(r.graph.In.Degree(v))
	case "n":
		return types.Int(r.graph.N())
	}
	if p := slices.IndexFunc(r.properties, func(column Values) bool { return column.Name == name }); p >= 0 {
		return r.properties[p].at(v)
	}
	c := slices.IndexFunc(r.state, func(column Values) bool { return column.Name == name })
	return r.state[c].at(v)
}

// self gives the variables of an aggregate at vertex v.
func (r *run) self(v int) lookup {
	return func(name string) ref.Val { return r.vertexValue(strings.TrimPrefix(name, "self."), v) }
}

// applied gives the variables of Apply at vertex v.
func (r *run) applied(v int, acc Values) lookup {
	self := r.self(v)
	return func(name string) ref.Val {
		if name == "acc" {
			return acc.at(v)
		}
		if aggregate, ok := strings.CutPrefix(name, "agg."); ok {
			return types.Double(r.sums[aggregate])
		}
		return self(name)
	}
}
