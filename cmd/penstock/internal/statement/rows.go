package statement

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
)

// rowWriter prints the rows of a result.
type rowWriter interface {
	begin(columns []string) error
	row([]value.Value) error
	end(query.Summary) error
}

func writeRows(result *query.Result, out rowWriter) error {
	if err := out.begin(result.Columns()); err != nil {
		return err
	}
	for result.Next() {
		if err := out.row(result.Row()); err != nil {
			return err
		}
	}
	return nil
}

func newRowWriter(a *app.App, format string) (rowWriter, error) {
	if a.JSON {
		return &objectWriter{out: a.Out}, nil
	}
	switch format {
	case "table":
		return &tableWriter{out: a.Out, notes: a.Err}, nil
	case "json":
		return &linesWriter{encoder: json.NewEncoder(a.Out)}, nil
	case "csv":
		return newCSVWriter(a.Out), nil
	case "arrow":
		return newArrowWriter(a.Out), nil
	}
	return nil, fmt.Errorf("--format %s: there are table, json, csv and arrow", format)
}

// linesWriter prints a JSON object a row.
type linesWriter struct {
	encoder *json.Encoder
	columns []string
}

func (w *linesWriter) begin(columns []string) error {
	w.columns = columns
	w.encoder.SetEscapeHTML(false)
	return nil
}

func (w *linesWriter) row(row []value.Value) error {
	object := make(map[string]value.Value, len(row))
	for i, v := range row {
		object[w.columns[i]] = v
	}
	return w.encoder.Encode(object)
}

func (w *linesWriter) end(query.Summary) error { return nil }

// objectWriter prints one JSON object for all.
type objectWriter struct {
	out  io.Writer
	rows int
}

func (w *objectWriter) begin(columns []string) error {
	if columns == nil {
		columns = []string{}
	}
	text, err := json.Marshal(columns)
	fmt.Fprintf(w.out, "{\"columns\": %s, \"rows\": [", text)
	w.rows = 0
	return err
}

func (w *objectWriter) row(row []value.Value) error {
	if w.rows++; w.rows > 1 {
		fmt.Fprint(w.out, ",")
	}
	text, err := value.OfList(row).MarshalJSON()
	fmt.Fprintf(w.out, "\n  %s", text)
	return err
}

func (w *objectWriter) end(s query.Summary) error {
	text, err := json.Marshal(map[string]any{"counters": s.Counters, "seconds": s.Took.Seconds(), "plan": s.Plan})
	fmt.Fprintf(w.out, "],\n \"summary\": %s}\n", text)
	return err
}
