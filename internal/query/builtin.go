package query

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// builtin are the procedures that drivers and tools ask for.
func (e *Engine) builtin() []*procedure.Procedure {
	return []*procedure.Procedure{
		names("db.labels", "label", "the labels of the graph", procedure.Graph.Labels),
		names("db.relationshipTypes", "relationshipType", "the types of its relationships", procedure.Graph.Types),
		names("db.propertyKeys", "propertyKey", "the names of its properties", procedure.Graph.Keys),
		one("db.ping", "whether somebody is there", []procedure.Field{text("success", "BOOLEAN")}, value.OfBool(true)),
		one("dbms.components", "what this is", []procedure.Field{text("name", "STRING"), text("versions", "LIST"),
			text("edition", "STRING")},
			value.OfString("Penstock"), value.OfList([]value.Value{value.OfString(e.version)}), value.OfString("community")),
		{Name: "db.awaitIndexes", Description: "nothing: an index is there once its statement has ended",
			Arguments: []procedure.Field{{Name: "timeOutSeconds", Type: "INTEGER", Default: &aMoment}},
			Call:      func(context.Context, procedure.Graph, []value.Value, func([]value.Value) error) error { return nil },
		},
		{
			Name: "db.info", Description: "the name of the graph", Columns: []procedure.Field{text("name", "STRING")},
			Call: func(_ context.Context, g procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
				return yield([]value.Value{value.OfString(g.Name())})
			},
		},
		listing(ast.ProcedureListing, "what can be called", e.procedureRows),
		listing(ast.FunctionListing, "what expressions can call", e.functionRows),
	}
}

// aMoment is how long tools would wait, in seconds.
var aMoment = value.OfInt(300)

func text(name, kind string) procedure.Field { return procedure.Field{Name: name, Type: kind} }

// names gives out a column of strings.
func names(name, column, description string, of func(procedure.Graph) []string) *procedure.Procedure {
	return &procedure.Procedure{
		Name: name, Description: description, Columns: []procedure.Field{text(column, "STRING")},
		Call: func(_ context.Context, g procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
			for _, s := range of(g) {
				if err := yield([]value.Value{value.OfString(s)}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// one gives out always the same row.
func one(name, description string, columns []procedure.Field, row ...value.Value) *procedure.Procedure {
	return &procedure.Procedure{
		Name: name, Description: description, Columns: columns,
		Call: func(_ context.Context, _ procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
			return yield(row)
		},
	}
}
