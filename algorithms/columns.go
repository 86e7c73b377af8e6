package algorithms

import "slices"

// VertexColumns lists the vertex columns that a device needs to run the checked program
// p: the inputs that its expressions read (id, out_degree, in_degree), the properties that they read, then the state.
func VertexColumns(p *Program) []Column {
	var names []string
	for _, e := range p.expressions() {
		names = append(names, references(e)...)
	}
	reads := func(c Column) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			qualifier, last := cutLast(name)
			return last == c.Name && qualifier != "edge." && qualifier != "agg."
		})
	}
	var columns []Column
	for _, name := range vertexInputs {
		columns = append(columns, Column{Name: name, Type: Int})
	}
	for _, property := range p.Properties {
		columns = append(columns, property.Column())
	}
	columns = slices.DeleteFunc(columns, func(c Column) bool { return !reads(c) })
	for _, s := range p.State {
		columns = append(columns, Column{Name: s.Name, Type: s.Type})
	}
	return columns
}

// expressions lists the expressions of p, without absent ones.
func (p *Program) expressions() []Expr {
	all := []Expr{p.Process}
	for _, s := range p.State {
		all = append(all, s.Init, s.Apply)
	}
	for _, a := range p.Aggregates {
		all = append(all, a.Expr)
	}
	return slices.DeleteFunc(all, func(e Expr) bool { return e.Checked == nil })
}

// Bound is the number of iterations after which p ends at the latest, on a graph of n
// vertices. Without MaxIterations it is n: where messages follow simple paths the
// last change comes in iteration n-1, and iteration n finds that there is no more.
func (p *Program) Bound(n uint64) int {
	if p.MaxIterations > 0 || p.Exactly {
		return p.MaxIterations
	}
	return int(n)
}
