package shell

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/penstock-db/penstock/cmd/penstock/internal/database"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// session runs statements on a graph, each in a transaction of its own or all in one.
type session struct {
	db         backend.Database
	graph      string
	parameters map[string]value.Value
	tx         backend.Transaction // nil: none is open
	out, notes io.Writer
}

// execute runs a statement and prints its rows. A failure ends the transaction.
func (s *session) execute(ctx context.Context, text string) error {
	began := time.Now()
	result, err := s.start(ctx, strings.TrimSpace(text))
	if err != nil {
		return s.failed(err)
	}
	rows := printRows(s.out, result)
	if err = cmp.Or(result.Err(), result.Close()); err != nil {
		return s.failed(err)
	}
	summary := result.Summary()
	if rows == 0 && summary.Plan == nil && len(result.Columns()) > 0 {
		terminal.NewTable(s.out, header(result)...).Render()
	}
	s.tell(summary, rows, time.Since(began))
	return nil
}

func (s *session) start(ctx context.Context, text string) (backend.Result, error) {
	if s.tx != nil {
		return s.tx.Run(ctx, text, s.parameters)
	}
	return s.db.Run(ctx, s.graph, backend.Write, text, s.parameters)
}

func (s *session) failed(err error) error {
	if s.tx == nil {
		return err
	}
	s.rollback()
	return fmt.Errorf("%w\nthe transaction was rolled back", err)
}

// rollback ends the transaction that is open, if there is one.
func (s *session) rollback() {
	if s.tx != nil {
		s.tx.Rollback()
		s.tx = nil
	}
}

// tell prints the plan and what else is to say.
func (s *session) tell(summary backend.Summary, rows int, took time.Duration) {
	if plan := summary.Plan; plan != nil {
		text := argument(plan, database.PlanText)
		if text.Kind() == value.String {
			fmt.Fprintln(s.out, strings.TrimRight(text.Str(), "\n"))
		}
	}
	fmt.Fprintf(s.notes, "%d rows%s in %s\n", rows, changed(summary.Counters), took.Round(10*time.Microsecond))
}

func argument(plan *backend.Plan, key string) value.Value {
	for _, a := range plan.Arguments {
		if a.Key == key {
			return a.Value
		}
	}
	return value.Value{}
}

// changed lists the counters that are not 0.
func changed(counters backend.Counters) string {
	var text strings.Builder
	for _, c := range counters.ByName() {
		if c.Value.Int() != 0 {
			fmt.Fprintf(&text, ", %d %s", c.Value.Int(), strings.ReplaceAll(c.Key, "-", " "))
		}
	}
	return text.String()
}

// printRows prints tables. Widths are known only when all rows of a table are, so that many
// rows make several.
func printRows(out io.Writer, result backend.Result) (rows int) {
	const most = 10_000
	table := terminal.NewTable(out, header(result)...)
	for result.Next() {
		cells := make([]any, len(result.Row()))
		for i, v := range result.Row() {
			cells[i] = v.Text()
		}
		table.AppendRow(cells)
		if rows++; rows%most == 0 {
			table.Render()
			table = terminal.NewTable(out, header(result)...)
		}
	}
	if rows%most != 0 {
		table.Render()
	}
	return rows
}

func header(result backend.Result) []any {
	columns := make([]any, len(result.Columns()))
	for i, name := range result.Columns() {
		columns[i] = name
	}
	return columns
}
