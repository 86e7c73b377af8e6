package compute

import (
	"io"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/instance"
)

// printRows draws the first rows of a table.
func printRows(w io.Writer, columns []algorithms.Values, ranked []instance.Ranked) {
	var header []any
	for _, column := range columns {
		header = append(header, column.Name)
	}
	t := terminal.NewTable(w, header...)
	for _, r := range ranked {
		var row []any
		for _, value := range r.Row {
			row = append(row, valueText(value))
		}
		t.AppendRow(row)
	}
	t.Render()
}

// firstRows are the first rows of a table as JSON has them: by the names of the columns, and null where a number is
// none, or infinite.
func (d delivered) firstRows() (all []map[string]any) {
	if d.Shape != algorithms.OfRows {
		return nil
	}
	for _, r := range d.rankings[0] {
		row := map[string]any{}
		for i, column := range d.Columns {
			row[column.Name] = inJSON(r.Row[i])
		}
		all = append(all, row)
	}
	return all
}

// inJSON is a value, or null in the place of a number that JSON does not have.
func inJSON(value any) any {
	switch v := value.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = inJSON(v[i])
		}
	}
	return value
}
