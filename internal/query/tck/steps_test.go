package tck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// patience is how long a statement may take before it counts as hanging.
const patience = 2 * time.Minute

// world is what a scenario has.
type world struct {
	db         *store.DB
	features   string // their folder
	graph      string
	engine     *query.Engine
	parameters map[string]value.Value
	procedures []*procedure.Procedure

	before  state // as the query under test found the graph
	columns []string
	rows    [][]value.Value
	err     error
}

func (w *world) steps(s *godog.ScenarioContext) {
	s.Step(`^an empty graph$`, func() {})
	s.Step(`^any graph$`, func() {})
	s.Step(`^the (\S+) graph$`, w.namedGraph)
	s.Step(`^having executed:$`, w.prepare)
	s.Step(`^parameters are:$`, w.setParameters)
	s.Step(`^there exists a procedure ([\w.]+)\((.*)\) :: \((.*)\)\s*:$`, w.addProcedure)
	s.Step(`^executing query:$`, w.execute)
	s.Step(`^executing control query:$`, w.execute)
	s.Step(`^the result should be, in any order:$`, func(t *godog.Table) error { return w.expect(t, false, false) })
	s.Step(`^the result should be, in order:$`, func(t *godog.Table) error { return w.expect(t, true, false) })
	s.Step(`^the result should be \(ignoring element order for lists\):$`,
		func(t *godog.Table) error { return w.expect(t, false, true) })
	s.Step(`^the result should be, in order \(ignoring element order for lists\):$`,
		func(t *godog.Table) error { return w.expect(t, true, true) })
	s.Step(`^the result should be empty$`, w.expectEmpty)
	s.Step(`^the side effects should be:$`, w.expectEffects)
	s.Step(`^no side effects$`, func(ctx context.Context) error { return w.compareEffects(ctx, map[string]int{}) })
	s.Step(`^an? (\w+) should be raised at (compile time|runtime|any time): (\S+)$`, w.expectFault)
}

func (w *world) begin(ctx context.Context, graph string) error {
	w.graph = graph
	return w.db.CreateGraph(ctx, graph)
}

func (w *world) end(ctx context.Context) error { return w.db.Drop(ctx, w.graph) }

// namedGraph runs the script of one of the kit's graphs.
func (w *world) namedGraph(name string) error {
	script, err := os.ReadFile(filepath.Join(w.features, "..", "graphs", name, name+".cypher"))
	if err != nil {
		return err
	}
	return w.prepare(&godog.DocString{Content: string(script)})
}

func (w *world) prepare(text *godog.DocString) error {
	_, _, err := w.run(text.Content)
	return err
}

// run executes a statement and collects its rows.
func (w *world) run(text string) (columns []string, rows [][]value.Value, err error) {
	if w.engine == nil {
		w.engine = query.New(w.db, query.Options{Procedures: w.procedures})
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err = guarded(func() error {
		result, err := w.engine.Run(ctx, w.graph, text, w.parameters)
		if err != nil {
			return err
		}
		defer result.Close()
		for columns = result.Columns(); result.Next(); {
			rows = append(rows, slices.Clone(result.Row()))
		}
		return result.Err()
	})
	return columns, rows, err
}

// execute runs the query under test; what it fails with is looked at by later steps.
func (w *world) execute(ctx context.Context, text *godog.DocString) (err error) {
	if w.before, err = observe(ctx, w.db, w.graph); err != nil {
		return err
	}
	w.columns, w.rows, w.err = w.run(text.Content)
	return nil
}

func (w *world) setParameters(t *godog.Table) error {
	w.parameters = map[string]value.Value{}
	for _, row := range t.Rows {
		v, err := parse(row.Cells[1].Value)
		if err != nil {
			return err
		}
		w.parameters[row.Cells[0].Value] = v
	}
	return nil
}

func (w *world) expect(t *godog.Table, ordered, loose bool) error {
	if w.err != nil {
		return w.err
	}
	columns := texts(t, 0)
	if !slices.Equal(columns, w.columns) {
		return fmt.Errorf("columns %q, expected %q", w.columns, columns)
	}
	want, err := expectedRows(t, loose)
	if err != nil {
		return err
	}
	var got []string
	for _, row := range w.rows {
		got = append(got, rowText(row, loose))
	}
	if !ordered {
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("rows\n  %s\nexpected\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return nil
}

func rowText(row []value.Value, loose bool) string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = canonical(v, loose)
	}
	return strings.Join(cells, " | ")
}

func texts(t *godog.Table, row int) (all []string) {
	for _, cell := range t.Rows[row].Cells {
		all = append(all, cell.Value)
	}
	return all
}

func expectedRows(t *godog.Table, loose bool) (rows []string, err error) {
	for i := range t.Rows[1:] {
		var row []value.Value
		for _, text := range texts(t, i+1) {
			v, err := parse(text)
			if err != nil {
				return nil, err
			}
			row = append(row, v)
		}
		rows = append(rows, rowText(row, loose))
	}
	return rows, nil
}

func (w *world) expectEmpty() error {
	if w.err == nil && len(w.rows) > 0 {
		return fmt.Errorf("%d rows, the first is %s; none was expected", len(w.rows), rowText(w.rows[0], false))
	}
	return w.err
}

func (w *world) expectEffects(ctx context.Context, t *godog.Table) error {
	want := map[string]int{}
	for _, row := range t.Rows {
		n, err := strconv.Atoi(row.Cells[1].Value)
		if err != nil {
			return err
		}
		if n != 0 {
			want[row.Cells[0].Value] = n
		}
	}
	return w.compareEffects(ctx, want)
}

func (w *world) compareEffects(ctx context.Context, want map[string]int) error {
	now, err := observe(ctx, w.db, w.graph)
	if err != nil {
		return err
	}
	if got := effects(w.before, now); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("side effects %v, expected %v", got, want)
	}
	return nil
}

// expectFault wants the statement to have failed so, and to have changed nothing.
func (w *world) expectFault(ctx context.Context, kind, phase, detail string) error {
	var f *fault.Error
	switch {
	case w.err == nil:
		return fmt.Errorf("it succeeded; a %s was expected at %s: %s", kind, phase, detail)
	case !errors.As(w.err, &f):
		return fmt.Errorf("%w; a %s was expected at %s: %s", w.err, kind, phase, detail)
	case string(f.Kind) != kind || (detail != "*" && f.Detail != detail) || (phase == "runtime") != f.Runtime &&
		phase != "any time":
		return fmt.Errorf("%s (%s, %s, runtime %t); a %s was expected at %s: %s", f.Message, f.Kind, f.Detail, f.Runtime,
			kind, phase, detail)
	}
	return w.compareEffects(ctx, map[string]int{})
}
