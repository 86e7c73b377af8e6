package query

import (
	"context"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/manual"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// listed is a row of what SHOW lists, by its columns. What it lacks is null.
type listed map[string]value.Value

// listing is the procedure that SHOW calls.
func listing(of ast.Listing, description string, rows func() []listed) *procedure.Procedure {
	columns := make([]procedure.Field, len(of.Columns))
	for i, name := range of.Columns {
		columns[i] = text(name, listedType(of, name))
	}
	return &procedure.Procedure{
		Name: of.Procedure, Description: description, Columns: columns,
		Call: func(_ context.Context, _ procedure.Graph, _ []value.Value, yield func([]value.Value) error) error {
			for _, row := range rows() {
				values := make([]value.Value, len(of.Columns))
				for i, name := range of.Columns {
					values[i] = row[name]
				}
				if err := yield(values); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func listedType(of ast.Listing, column string) string {
	switch column {
	case "isBuiltIn", "aggregating", "isDeprecated", "admin", "worksOnSystem":
		return "BOOLEAN"
	case "argumentDescription":
		return "LIST"
	case "returnDescription":
		if of.Procedure == ast.ProcedureListing.Procedure {
			return "LIST"
		}
	case "option":
		return "MAP"
	}
	return "STRING"
}

// procedureRows are what CALL can call.
func (e *Engine) procedureRows() []listed {
	no := value.OfBool(false)
	var rows []listed
	for _, p := range e.procedures.All() {
		mode := "READ"
		if p.Writes {
			mode = "WRITE"
		}
		rows = append(rows, listed{
			"name": value.OfString(p.Name), "description": value.OfString(p.Description), "mode": value.OfString(mode),
			"worksOnSystem": no, "signature": value.OfString(p.Signature()),
			"argumentDescription": describedAll(p.Arguments), "returnDescription": describedAll(p.Columns),
			"admin": no, "isDeprecated": no, "option": value.OfMap(map[string]value.Value{"deprecated": no}),
		})
	}
	return rows
}

// functionRows are what expressions can call: functions that are registered, those that the grammar has, those that ask
// for the graph or for what procedures keep, and procedures that gather rows.
func (e *Engine) functionRows() []listed {
	var rows []listed
	for _, d := range manual.All() {
		f, known := function.Lookup(d.Name)
		rows = append(rows, functionRow(d, known && f.Aggregate))
	}
	for _, f := range e.procedures.Functions() {
		d := manual.Signed(f.Signature())
		d.Category, d.Description = f.Category, f.Description
		rows = append(rows, functionRow(d, false))
	}
	for _, p := range e.procedures.All() {
		if p.Gather != nil {
			d := manual.Signed(p.GatheredSignature())
			d.Category, d.Description = "Aggregating", p.Description
			rows = append(rows, functionRow(d, true))
		}
	}
	slices.SortFunc(rows, func(a, b listed) int { return strings.Compare(a["name"].Str(), b["name"].Str()) })
	return rows
}

func functionRow(d manual.Entry, aggregating bool) listed {
	arguments := make([]value.Value, len(d.Arguments))
	for i, a := range d.Arguments {
		arguments[i] = described(a.Name, a.Type, a.Default)
	}
	return listed{
		"name": value.OfString(d.Name), "category": value.OfString(d.Category),
		"description": value.OfString(d.Description), "signature": value.OfString(d.Signature),
		"isBuiltIn": value.OfBool(true), "argumentDescription": value.OfList(arguments),
		"returnDescription": value.OfString(d.Returns), "aggregating": value.OfBool(aggregating),
		"isDeprecated": value.OfBool(false),
	}
}

func describedAll(fields []procedure.Field) value.Value {
	all := make([]value.Value, len(fields))
	for i, f := range fields {
		standard := ""
		if f.Default != nil {
			standard = f.Default.Text()
		}
		all[i] = described(f.Name, f.Type, standard)
	}
	return value.OfList(all)
}

// described is an argument or a column as Neo4j tells of it.
func described(name, kind, standard string) value.Value {
	about := map[string]value.Value{
		"name": value.OfString(name), "type": value.OfString(kind), "description": value.OfString(name + " :: " + kind),
		"isDeprecated": value.OfBool(false),
	}
	if standard != "" {
		about["default"] = value.OfString(standard)
	}
	return value.OfMap(about)
}
