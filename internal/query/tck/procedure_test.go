package tck

import (
	"context"
	"strings"

	"github.com/cucumber/godog"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// addProcedure makes a procedure that answers from a table: its first columns are arguments,
// the rest is given out for the rows where these are equal.
func (w *world) addProcedure(name, in, out string, t *godog.Table) error {
	arguments, columns := fields(in), fields(out)
	var rows [][]value.Value
	for i := range t.Rows[min(1, len(t.Rows)):] {
		var row []value.Value
		for _, text := range texts(t, i+1) {
			v, err := parse(text)
			if err != nil {
				return err
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	w.procedures = append(w.procedures, &procedure.Procedure{
		Name: name, Arguments: arguments, Columns: columns,
		Call: func(_ context.Context, _ procedure.Graph, args []value.Value, yield func([]value.Value) error) error {
			for _, row := range rows {
				if !matches(args, row) {
					continue
				}
				if err := yield(row[len(args):]); err != nil {
					return err
				}
			}
			return nil
		},
	})
	return nil
}

func matches(args, row []value.Value) bool {
	for i, arg := range args {
		if !value.Equivalent(arg, row[i]) {
			return false
		}
	}
	return true
}

// fields reads "name :: TYPE?, …".
func fields(text string) (all []procedure.Field) {
	for part := range strings.SplitSeq(text, ",") {
		name, kind, found := strings.Cut(part, "::")
		if !found {
			continue
		}
		kind = strings.TrimSpace(kind)
		all = append(all, procedure.Field{Name: strings.TrimSpace(name), Type: strings.TrimSuffix(kind, "?"),
			Nullable: strings.HasSuffix(kind, "?")})
	}
	return all
}
