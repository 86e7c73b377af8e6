// Package loadcsv has the procedure that LOAD CSV stands for.
package loadcsv

import (
	"context"
	"encoding/csv"
	"errors"
	"io"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Procedure reads files of a folder: the rows of one, each a list of strings or, by the first row, a map. Empty
// fields are null. An empty folder has it refuse all.
func Procedure(folder string) *procedure.Procedure {
	return &procedure.Procedure{
		Name: ast.LoadProcedure, Description: "the rows of a CSV file: what LOAD CSV reads",
		Arguments: []procedure.Field{{Name: "url", Type: "STRING"}, {Name: "headers", Type: "BOOLEAN"},
			{Name: "separator", Type: "STRING"}},
		Columns: []procedure.Field{{Name: "row", Type: "ANY"}},
		Call: func(ctx context.Context, _ procedure.Graph, arguments []value.Value, yield func([]value.Value) error) error {
			url := arguments[0].Str()
			in, err := open(folder, url)
			if err != nil {
				return err
			}
			defer in.Close()
			separator := []rune(arguments[2].Str())
			if len(separator) != 1 {
				return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "LOAD CSV: FIELDTERMINATOR %q: give one character",
					arguments[2].Str())
			}
			return read(ctx, in, url, separator[0], arguments[1].Bool(), yield)
		},
	}
}

func read(ctx context.Context, in io.Reader, url string, separator rune, headers bool,
	yield func([]value.Value) error) error {
	limit := &bounded{in: in}
	records := csv.NewReader(limit)
	records.Comma, records.FieldsPerRecord, records.ReuseRecord = separator, -1, true
	var names []string
	for {
		record, err := records.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fault.Met(fault.ArgumentError, "InvalidFile", "LOAD CSV %s: %v", url, err)
		case headers && names == nil:
			names = append(make([]string, 0, len(record)), record...)
			limit.consumed(records.InputOffset())
			continue
		}
		limit.consumed(records.InputOffset())
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield([]value.Value{row(record, names)}); err != nil {
			return err
		}
	}
}

// row is a record as a list, or a map where fields have names.
func row(record, names []string) value.Value {
	fields := make([]value.Value, max(len(record), len(names)))
	for i, text := range record {
		if text != "" {
			fields[i] = value.OfString(text)
		}
	}
	if names == nil {
		return value.OfList(fields)
	}
	entries := make(map[string]value.Value, len(names))
	for i, name := range names {
		entries[name] = fields[i]
	}
	return value.OfMap(entries)
}
