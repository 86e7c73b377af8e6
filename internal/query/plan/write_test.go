package plan

import (
	"testing"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// Names of a CREATE are known in the same clause and after it, and not to whoever planned before.
func TestNewPattern_NamesAreAdded(t *testing.T) {
	node := func(name string) ast.PathPattern { return ast.PathPattern{Nodes: []ast.NodePattern{{Variable: name}}} }
	before := scope{"x": 7}
	c := &chain{planner: &planner{slots: 8}, scope: before}
	c.create(&ast.CreateClause{Patterns: []ast.PathPattern{node("a"), node("x"), node("a"), node("")}})
	if len(before) != 1 || len(c.scope) != 2 || c.scope["x"] != 7 {
		t.Error("names are", before, c.scope)
	}
	if made := c.op.(*Create).Pattern.Nodes; len(made) != 2 || made[0].Slot != c.scope["a"] {
		t.Error("nodes to create:", made)
	}
	if text := c.op.Detail(); text != "(a), (x), (a), ()" {
		t.Error(text)
	}
}
