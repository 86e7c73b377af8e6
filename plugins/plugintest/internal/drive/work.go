package drive

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
)

// Work is what a rig is to do: a program or a procedure, with its columns.
type Work struct {
	Task    plugins.Task
	Inputs  []algorithms.Column
	Results []algorithms.Column
	Edges   []string // edge columns that the chunks carry
	Rows    []algorithms.Rows
	// properties are those inputs that are vertex properties.
	Properties []algorithms.VertexInput
	vectors    []algorithms.VectorInput // likewise, of rows
}

// ProgramWork is a vertex program, checked against the columns of g.
func ProgramWork(t testing.TB, g *algorithms.Graph, p *algorithms.Program) Work {
	t.Helper()
	own := *p
	own.State, own.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := algorithms.Check(&own, drawn.EdgeColumns(g)); err != nil {
		t.Fatalf("program %+v: %v", own, err)
	}
	columns := algorithms.VertexColumns(&own)
	inputs := len(columns) - len(own.State)
	w := Work{
		Task:    plugins.Task{Program: &own},
		Inputs:  columns[:inputs],
		Results: columns[inputs:],
		Edges:   own.EdgeColumns,
	}
	for _, p := range own.Properties {
		if slices.Contains(w.Inputs, p.Column()) {
			w.Properties = append(w.Properties, algorithms.VertexInput{Column: p.Column(), Property: p.Name, Sums: p.Sums})
		}
	}
	return w
}

// ProcedureWork is a procedure with its arguments.
func ProcedureWork(a *algorithms.Algorithm, args algorithms.Args) Work {
	w := Work{
		Task: plugins.Task{Procedure: a.Name, Args: args},
		Inputs: []algorithms.Column{{Name: "id", Type: algorithms.Int},
			{Name: "out_degree", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int}},
		Results: a.Columns(args),
	}
	for _, in := range a.VertexInputs(args) {
		w.Inputs = append(w.Inputs, in.Column)
		w.Properties = append(w.Properties, in)
	}
	w.vectors = a.VectorInputs(args)
	for _, in := range w.vectors {
		w.Rows = append(w.Rows, in.Rows)
	}
	if a.Procedure.EdgeColumns != nil {
		w.Edges = a.Procedure.EdgeColumns(args)
	}
	return w
}
