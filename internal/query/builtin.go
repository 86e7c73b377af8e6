package query

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
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
		{
			Name: "db.info", Description: "the name of the graph", Columns: []procedure.Field{text("name", "STRING")},
			Call: func(_ context.Context, g procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
				return yield([]value.Value{value.OfString(g.Name())})
			},
		},
		{
			Name: "dbms.procedures", Description: "what can be called",
			Columns: []procedure.Field{text("name", "STRING"), text("signature", "STRING"), text("description", "STRING"),
				text("mode", "STRING")},
			Call: e.listProcedures,
		},
	}
}

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

func (e *Engine) listProcedures(_ context.Context, _ procedure.Graph, _ []value.Value,
	yield func([]value.Value) error) error {
	for _, p := range e.procedures.All() {
		mode := "READ"
		if p.Writes {
			mode = "WRITE"
		}
		row := []value.Value{value.OfString(p.Name), value.OfString(p.Signature()), value.OfString(p.Description),
			value.OfString(mode)}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
