package statement

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
)

// tableRows is how many rows a table has: widths are known only when all of them are. More
// rows make more tables.
const tableRows = 10_000

// tableWriter prints rows for people.
type tableWriter struct {
	out, notes io.Writer
	columns    []string
	table      table.Writer
	rows       int // of the table
	all        int
}

func (w *tableWriter) begin(columns []string) error {
	w.columns, w.all = columns, 0
	w.open()
	return nil
}

func (w *tableWriter) open() {
	header := make([]any, len(w.columns))
	for i, name := range w.columns {
		header[i] = name
	}
	w.table, w.rows = terminal.NewTable(w.out, header...), 0
}

func (w *tableWriter) row(row []value.Value) error {
	cells := make([]any, len(row))
	for i, v := range row {
		cells[i] = v.Text()
	}
	w.table.AppendRow(cells)
	w.all++
	if w.rows++; w.rows == tableRows {
		w.table.Render()
		w.open()
	}
	return nil
}

func (w *tableWriter) end(s query.Summary) error {
	if w.rows > 0 || w.all == 0 && len(w.columns) > 0 && s.Plan == "" {
		w.table.Render()
	}
	if s.Plan != "" {
		fmt.Fprintln(w.out, strings.TrimRight(s.Plan, "\n"))
	}
	fmt.Fprintf(w.notes, "%d rows%s in %s\n", w.all, changesText(s), s.Took.Round(10*time.Microsecond))
	return nil
}

// changesText lists what a statement has changed.
func changesText(s query.Summary) string {
	text := ""
	for _, c := range s.Changes() {
		text += fmt.Sprintf(", %d %s", c.Count, c.Name)
	}
	return text
}

// PrintRows prints a small table.
func PrintRows(out io.Writer, columns []string, rows [][]value.Value) {
	w := &tableWriter{out: out, columns: columns}
	w.open()
	for _, row := range rows {
		_ = w.row(row) // never fails
	}
	w.table.Render()
}

// csvWriter prints rows as CSV; null is an empty field.
type csvWriter struct{ *csv.Writer }

func newCSVWriter(out io.Writer) csvWriter { return csvWriter{csv.NewWriter(out)} }

// begin writes the header; there is none, nor an empty line, where a statement returns nothing.
func (w csvWriter) begin(columns []string) error {
	if len(columns) == 0 {
		return nil
	}
	return w.Write(columns)
}

func (w csvWriter) row(row []value.Value) error {
	fields := make([]string, len(row))
	for i, v := range row {
		fields[i] = v.Plain()
	}
	return w.Write(fields)
}

func (w csvWriter) end(query.Summary) error {
	w.Flush()
	return w.Error()
}
