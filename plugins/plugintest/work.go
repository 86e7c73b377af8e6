package plugintest

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// work is what a rig is to do: a program or a procedure, with its columns.
type work struct {
	task    plugins.Task
	inputs  []algorithms.Column
	results []algorithms.Column
	edges   []string // edge columns that the chunks carry
	rows    []algorithms.Rows
	// properties are those inputs that are vertex properties.
	properties []algorithms.VertexInput
	vectors    []algorithms.VectorInput // likewise, of rows
}

func programWork(t testing.TB, g *algorithms.Graph, p *algorithms.Program) work {
	t.Helper()
	own := *p
	own.State, own.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := algorithms.Check(&own, edgeColumns(g)); err != nil {
		t.Fatalf("program %+v: %v", own, err)
	}
	columns := algorithms.VertexColumns(&own)
	inputs := len(columns) - len(own.State)
	w := work{
		task:    plugins.Task{Program: &own},
		inputs:  columns[:inputs],
		results: columns[inputs:],
		edges:   own.EdgeColumns,
	}
	for _, p := range own.Properties {
		if slices.Contains(w.inputs, p.Column()) {
			w.properties = append(w.properties, algorithms.VertexInput{Column: p.Column(), Property: p.Name, Sums: p.Sums})
		}
	}
	return w
}

func procedureWork(a *algorithms.Algorithm, args algorithms.Args) work {
	w := work{
		task: plugins.Task{Procedure: a.Name, Args: args},
		inputs: []algorithms.Column{{Name: "id", Type: algorithms.Int},
			{Name: "out_degree", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int}},
		results: a.Columns(args),
	}
	for _, in := range a.VertexInputs(args) {
		w.inputs = append(w.inputs, in.Column)
		w.properties = append(w.properties, in)
	}
	w.vectors = a.VectorInputs(args)
	for _, in := range w.vectors {
		w.rows = append(w.rows, in.Rows)
	}
	if a.Procedure.EdgeColumns != nil {
		w.edges = a.Procedure.EdgeColumns(args)
	}
	return w
}
