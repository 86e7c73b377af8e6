package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/query/parse"
)

// queryOptions are the flags of query.
type queryOptions struct {
	graph, format, file string
	params              []string
	create              bool
	timeout             time.Duration
	batch               int
	memory              cli.Size
}

func (a *app) queryCommand() *cobra.Command {
	var o queryOptions
	cmd := &cobra.Command{
		Use:   "query [STATEMENT]",
		Short: "Query and change a graph in openCypher",
		Long: `Run an openCypher statement on a graph, in a transaction of its own, and print its
rows. With --file, or without a STATEMENT from standard input, statements that end
with a semicolon run one after the other, each in its own transaction, which waits for
the disk; with --batch N, N statements are one transaction.

EXPLAIN before a statement shows how it would be executed, PROFILE also what each
step has done. Algorithms are called in place: CALL algo.list() names them.`,
		Example: `  penstock query --db ./db --graph air "MATCH (a {code: \$code})-->(b) RETURN b.code" --param code=AUS
  penstock query --db ./db --graph g "CALL algo.pagerank() YIELD node, score RETURN node.id, score ORDER BY score DESC LIMIT 10"
  penstock query --db ./db --graph new --create "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Ben'})"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.query(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "the `graph`; may be left out when there is only one")
	f.StringVar(&o.format, "format", "table", "how rows are printed: table, json (a row a line), csv or arrow (a stream)")
	f.StringVar(&o.file, "file", "", "read statements from a `file`")
	f.StringArrayVar(&o.params, "param", nil, "a parameter of the statement, `key=value`: a JSON value, or else a text")
	f.BoolVar(&o.create, "create", false, "make the graph if it does not exist, and the database")
	f.DurationVar(&o.timeout, "timeout", 0, "end a statement that takes longer (default: none)")
	f.IntVar(&o.batch, "batch", 1, "run so many statements of a file in one `transaction`: all of them change the graph, or none")
	f.Var(&o.memory, "memory", "`size` that a statement may hold at once (default 1GiB); sorting and grouping go on on disk")
	return cmd
}

func (a *app) query(ctx context.Context, o queryOptions, args []string) error {
	parameters, err := queryParameters(o.params)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	out, err := a.rowWriter(o.format)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	if len(args) > 0 && o.file != "" {
		return cli.UsageError{Err: errors.New("give a STATEMENT or --file, not both")}
	}
	if o.batch < 1 {
		return cli.UsageError{Err: fmt.Errorf("--batch %d: a transaction has one statement at the least", o.batch)}
	}
	options := penstock.Options{MustExist: !o.create, QueryMemory: int64(o.memory)}
	return a.withDB(options, func(db *penstock.DB) error {
		graph, err := chooseGraph(ctx, db, o)
		if err != nil {
			return err
		}
		b := &batches{db: db, graph: graph, size: o.batch}
		run := func(statement string) error {
			if err := b.begin(ctx); err != nil {
				return err
			}
			if err := a.queryOne(ctx, b, o, statement, parameters, out); err != nil {
				return err
			}
			return b.done(ctx)
		}
		if len(args) > 0 {
			err = run(args[0])
		} else {
			err = a.eachStatement(o.file, run)
		}
		if err != nil {
			return b.failed(err)
		}
		return b.commit(ctx)
	})
}

// queryParameters reads --param flags.
func queryParameters(flags []string) (map[string]value.Value, error) {
	parameters := map[string]value.Value{}
	for _, flag := range flags {
		key, text, ok := strings.Cut(flag, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--param %s: write key=value", flag)
		}
		v, err := value.FromJSON([]byte(text))
		if err != nil {
			v = value.OfString(text)
		}
		parameters[key] = v
	}
	return parameters, nil
}

// chooseGraph is the graph that is meant; it is made if it is to be.
func chooseGraph(ctx context.Context, db *penstock.DB, o queryOptions) (string, error) {
	graphs, err := db.Graphs()
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range graphs {
		if m.Graph == o.graph {
			return o.graph, nil
		}
		names = append(names, m.Graph)
	}
	switch {
	case o.graph != "" && o.create:
		return o.graph, db.CreateGraph(ctx, o.graph)
	case o.graph != "":
		return o.graph, nil // whoever opens it says what there is instead
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", cli.UsageError{Err: errors.New("there is no graph yet: 'penstock load' brings one in, or --graph NAME --create makes an empty one")}
	}
	return "", cli.UsageError{Err: fmt.Errorf("which graph? give --graph: %s", strings.Join(names, ", "))}
}

// eachStatement runs the statements of a file, or of standard input.
func (a *app) eachStatement(file string, run func(string) error) error {
	in := a.In
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	for part, err := range parse.Script(in) {
		if err != nil {
			return err
		}
		if err := inScript(part.Line, run(part.Text)); err != nil {
			return err
		}
	}
	return nil
}

// scriptError ends a script: the batches before it stay.
type scriptError struct {
	line int
	err  error
}

func (e *scriptError) Error() string { return fmt.Sprintf("statement at line %d: %v", e.line, e.err) }
func (e *scriptError) Unwrap() error { return e.err }

// Interrupted says what of the script stays.
func (e *scriptError) Interrupted() string {
	return fmt.Sprintf("interrupted in the statement at line %d; what was committed before stays", e.line)
}

// inScript says where what went wrong did.
func inScript(line int, err error) error {
	if err == nil {
		return nil
	}
	return &scriptError{line, err}
}

func (a *app) queryOne(ctx context.Context, b *batches, o queryOptions, statement string, parameters map[string]value.Value, out rowWriter) error {
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	result, err := b.run(ctx, statement, parameters)
	if err != nil {
		return err
	}
	err = writeRows(result, out)
	if err = errors.Join(err, result.Close()); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("the statement took longer than --timeout %s; nothing was changed", o.timeout)
		}
		return err
	}
	return out.end(result.Summary())
}

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

func (a *app) rowWriter(format string) (rowWriter, error) {
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
