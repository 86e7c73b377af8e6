package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// CellProgram is a program as a session computes it that has two intervals of the vertices only. What it knows of all
// vertices the host tells it:
//
//	n         a constant
//	agg.NAME  a state column with the same value everywhere, which the host writes
//
// The terms of an aggregate are a state column too: Init and Apply give it the terms of the state that they make.
type CellProgram struct {
	*algorithms.Program
	Sums  []string // the columns of the aggregates' sums
	Terms []string // and of their terms
	Sent  []string // the columns of a source that messages are made of
}

// sent is how many bytes of a source messages are made of.
func (c CellProgram) sent(session plugins.Layout) (bytes uint64) {
	for _, column := range session.Columns {
		if slices.Contains(c.Sent, column.Name) {
			bytes += Width(column.Type)
		}
	}
	return bytes
}

// Names of CEL in an expression, outside of quoted ones: n by itself, and agg.NAME. What is before n is no part of a
// longer name.
var (
	graphSize  = regexp.MustCompile(`(^|[^\w.\s])(\s*)n\b`)
	aggregates = regexp.MustCompile(`\bagg\s*\.\s*(\w+)`)
)

// forCells is a program of a graph of n vertices as cells compute it.
func forCells(p algorithms.Program, n uint64, edgeColumns []string) (c CellProgram, err error) {
	size, prefix := unused(p, "graph_size"), unused(p, "aggregate")
	rewrite := func(e algorithms.Expr) algorithms.Expr {
		text := graphSize.ReplaceAllString(e.Source, "${1}${2}"+size)
		return algorithms.Expr{Source: aggregates.ReplaceAllString(text, "self."+prefix+"_${1}")}
	}
	original, more := p, []algorithms.State(nil)
	p.MaxIterations, p.Diverged = p.Bound(n), ""
	p.State, p.Constants = slices.Clone(p.State), slices.Clone(p.Constants)
	for i, s := range p.State {
		p.State[i].Init, p.State[i].Apply = rewrite(s.Init), rewrite(s.Apply)
	}
	p.Process.Checked = nil
	p.Constants = append(p.Constants, algorithms.Constant{Name: size, Type: algorithms.Int, Int: int64(n)})
	for _, a := range p.Aggregates {
		sum, term := prefix+"_"+a.Name, prefix+"_term_"+a.Name
		c.Sums, c.Terms = append(c.Sums, sum), append(c.Terms, term)
		more = append(more, algorithms.State{Name: sum, Type: algorithms.Float, Init: algorithms.Expr{Source: "0.0"}},
			algorithms.State{Name: term, Type: algorithms.Float, Init: rewrite(initially(a.Expr, original)),
				Apply: rewrite(afterwards(a.Expr, original))})
	}
	p.State, p.Aggregates = append(p.State, more...), nil
	c.Program = &p
	if err := algorithms.Check(&p, edgeColumns); err != nil {
		return c, err
	}
	for _, r := range p.Process.Checked.GetReferenceMap() {
		if name, ok := strings.CutPrefix(r.GetName(), "src."); ok {
			c.Sent = append(c.Sent, name)
		}
	}
	slices.Sort(c.Sent)
	c.Sent = slices.Compact(c.Sent)
	return c, nil
}

// own is a column of the vertex that an expression is about.
var own = regexp.MustCompile(`\bself\s*\.\s*(\w+)`)

// initially is an expression over the state as one over what Init makes it of.
func initially(e algorithms.Expr, p algorithms.Program) algorithms.Expr {
	return replaced(e, func(name string) string {
		if i := stateOf(p, name); i >= 0 {
			return "(" + p.State[i].Init.Source + ")"
		}
		return name
	})
}

// afterwards is an expression over the state as one over what Apply makes it of.
func afterwards(e algorithms.Expr, p algorithms.Program) algorithms.Expr {
	return replaced(e, func(name string) string {
		i := stateOf(p, name)
		switch {
		case i >= 0 && p.State[i].Apply.Source != "":
			return "(" + p.State[i].Apply.Source + ")"
		case i == 0:
			return fmt.Sprintf(combined[p.Reduce], "self."+name)
		}
		return "self." + name
	})
}

// combined is what the default Apply makes of the first column.
var combined = map[algorithms.Reduce]string{
	algorithms.Sum: "(%s + acc)", algorithms.Prod: "(%s * acc)", algorithms.Min: "min(%s, acc)",
	algorithms.Max: "max(%s, acc)", algorithms.And: "(%s && acc)", algorithms.Or: "(%s || acc)",
}

func replaced(e algorithms.Expr, column func(name string) string) algorithms.Expr {
	return algorithms.Expr{Source: own.ReplaceAllStringFunc(e.Source, func(found string) string {
		return column(own.FindStringSubmatch(found)[1])
	})}
}

func stateOf(p algorithms.Program, name string) int {
	return slices.IndexFunc(p.State, func(s algorithms.State) bool { return s.Name == name })
}

// unused is a name that no column, property or constant of a program begins with.
func unused(p algorithms.Program, name string) string {
	var names []string
	for _, s := range p.State {
		names = append(names, s.Name)
	}
	for _, c := range p.Properties {
		names = append(names, c.Name)
	}
	for _, c := range p.Constants {
		names = append(names, c.Name)
	}
	for slices.ContainsFunc(names, func(taken string) bool { return strings.HasPrefix(taken, name) }) {
		name += "_"
	}
	return name
}
