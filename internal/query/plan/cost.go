package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/store"
)

// Statistics is what planning asks of the graph.
type Statistics interface {
	Label(name string) (store.Token, bool)
	Type(name string) (store.Token, bool)
	NodeCount() uint64
	RelationshipCount() uint64
	LabelCount(label store.Token) uint64
	TypeCount(typ store.Token) uint64
	Indexes() []store.Index
	Constraints() []store.Constraint
}

// fan is how many paths of the edge's kind begin at a node, on average.
func fan(graph Statistics, e *edge) float64 {
	const steps = 3 // of a path without a limit that are thought to be taken
	degree := relationships(graph, e.Types) / max(1, float64(graph.NodeCount()))
	if e.Direction == ast.Either {
		degree *= 2
	}
	least, most := e.bounds()
	if most < 0 || most > least+steps {
		most = least + steps
	}
	return max(math.Pow(degree, float64(least)), math.Pow(degree, float64(most)))
}

// relationships is how many are of one of the types; none: of any.
func relationships(graph Statistics, types []string) float64 {
	if len(types) == 0 {
		return float64(graph.RelationshipCount())
	}
	sum := 0.0
	for _, name := range types {
		if token, ok := graph.Type(name); ok {
			sum += float64(graph.TypeCount(token))
		}
	}
	return sum
}

// selectivity is the part of rows that are thought to fulfill a condition. Without statistics of
// values these are the usual guesses of System R's kind.
func selectivity(graph Statistics, e ast.Expression) float64 {
	const equality, comparison, other = 0.1, 0.3, 0.5
	switch e := e.(type) {
	case *ast.HasLabels:
		return labeled(graph, e.Labels[0]) / max(1, float64(graph.NodeCount()))
	case *HasProperties:
		return equality
	case *ast.Binary:
		labels, whole := cover(graph, e, func(ast.Expression) bool { return true })
		if nodes := labeled(graph, labels...); whole && nodes > 0 { // else these may be types
			return nodes / max(1, float64(graph.NodeCount()))
		}
		switch e.Op {
		case ast.Equal, ast.In:
			return equality
		case ast.Less, ast.LessEqual, ast.Greater, ast.GreaterEqual, ast.StartsWith:
			return comparison
		}
	}
	return other
}

// labeled is how many nodes have one of some labels, at most: those that have several count for each.
func labeled(graph Statistics, labels ...string) float64 {
	sum := 0.0
	for _, label := range labels {
		if token, ok := graph.Label(label); ok {
			sum += float64(graph.LabelCount(token))
		}
	}
	return min(sum, float64(graph.NodeCount()))
}

// unique tells whether no two nodes have the same value in an index: it is of ids, or a constraint says so.
func unique(graph Statistics, i store.Index) bool {
	return i.Label == "" || slices.ContainsFunc(graph.Constraints(), func(c store.Constraint) bool {
		return c.Kind != store.Exists && !c.OnRelationship && c.Label == i.Label && len(c.Keys) == 1 && c.Keys[0] == i.Key
	})
}

// indexedRows is how many nodes an index is of.
func indexedRows(graph Statistics, i store.Index) float64 {
	if i.Label == "" {
		return float64(graph.NodeCount())
	}
	return labeled(graph, i.Label)
}

// elements is how many a list is thought to have: what is written is counted.
func elements(list ast.Expression) float64 {
	const guess = 10
	switch e := list.(type) {
	case *ast.ListLiteral:
		return max(1, float64(len(e.Elements)))
	case *ast.Call:
		if !strings.EqualFold(e.Function, "range") || len(e.Arguments) != 2 {
			break
		}
		from, known := integer(e.Arguments[0])
		to, also := integer(e.Arguments[1])
		if known && also {
			return max(1, to-from+1)
		}
	}
	return guess
}

func integer(e ast.Expression) (float64, bool) {
	l, ok := e.(*ast.Literal)
	if !ok || l.Value.Kind() != value.Int {
		return 0, false
	}
	return float64(l.Value.Int()), true
}

// The parts of indexed nodes that are thought to be found.
const seekPart, rangePart = 0.001, 0.1
