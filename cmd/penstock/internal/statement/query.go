// Package statement has the command that runs openCypher statements, and prints their rows.
package statement

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// Query is penstock query.
type Query struct {
	graph, format, file, imports string
	params                       []string
	create                       bool
	timeout                      time.Duration
	batch                        int
	memory                       cli.Size
}

func (c *Query) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query [STATEMENTS]",
		Short: "Query and change a graph in openCypher",
		Long: `Run openCypher statements on a graph, and print their rows. Semicolons stand between
several, which run one after the other, each in a transaction of its own, which waits
for the disk; with --batch N, N statements are one transaction. The first that fails
ends the command; what those before it have done stays. They can also be in a --file,
or come from standard input.

EXPLAIN before a statement shows how it would be executed, PROFILE also what each
step has done. Algorithms are called in place: CALL algo.list() names them.`,
		Example: `  penstock query --db ./db --graph air "MATCH (a {code: \$code})-->(b) RETURN b.code" --param code=AUS
  penstock query --db ./db --graph g "CALL algo.pagerank() YIELD node, score RETURN node.id, score ORDER BY score DESC LIMIT 10"
  penstock query --db ./db --graph g "CREATE (:City {name: 'Rome'}); MATCH (c:City) RETURN c.name"
  penstock query --db ./db --graph new --create "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Ben'})"`,
		Args: cobra.MaximumNArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&c.graph, "graph", "", "the `graph`; may be left out when there is only one")
	f.StringVar(&c.format, "format", "table", "how rows are printed: table, json (a row a line), csv or arrow (a stream)")
	f.StringVar(&c.file, "file", "", "read statements from a `file`")
	f.StringArrayVar(&c.params, "param", nil, "a parameter of the statement, `key=value`: a JSON value, or else a text")
	f.BoolVar(&c.create, "create", false, "make the graph if it does not exist, and the database")
	f.DurationVar(&c.timeout, "timeout", 0, "end a statement that takes longer (default: none)")
	f.IntVar(
		&c.batch, "batch", 1, "run so many statements in one `transaction`: all of them change the graph, or none")
	f.Var(
		&c.memory, "memory", "`size` that a statement may hold at once (default 1GiB); sorting and grouping go on on disk")
	f.StringVar(&c.imports, "import", ".", "the `folder` that LOAD CSV reads files from")
	return cmd
}

func (c *Query) Run(ctx context.Context, a *app.App, args []string) error {
	parameters, err := queryParameters(c.params)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	out, err := newRowWriter(a, c.format)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	if len(args) > 0 && c.file != "" {
		return cli.UsageError{Err: errors.New("give STATEMENTS or --file, not both")}
	}
	if c.batch < 1 {
		return cli.UsageError{Err: fmt.Errorf("--batch %d: a transaction has one statement at the least", c.batch)}
	}
	options := instance.Options{MustExist: !c.create, QueryMemory: int64(c.memory), ImportDir: c.imports}
	return a.WithDB(options, func(db *instance.DB) error {
		graph, err := app.ChooseGraph(ctx, db, c.graph, c.create)
		if err != nil {
			return err
		}
		b := &batches{db: db, graph: graph, size: c.batch}
		run := func(statement string) error {
			if err := b.begin(ctx); err != nil {
				return err
			}
			if err := runOne(ctx, b, c.timeout, statement, parameters, out); err != nil {
				return err
			}
			return b.done(ctx)
		}
		if len(args) > 0 {
			err = fromArgument(args[0], run)
		} else {
			err = fromFile(a.In, c.file, run)
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

// runOne runs a statement and prints its rows. A timeout of 0 is none.
func runOne(ctx context.Context, b *batches, timeout time.Duration, statement string, parameters map[string]value.Value,
	out rowWriter) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	result, err := b.run(ctx, statement, parameters)
	if err != nil {
		return err
	}
	err = writeRows(result, out)
	if err = errors.Join(err, result.Close()); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("the statement took longer than --timeout %s, and has changed nothing", timeout)
		}
		return err
	}
	return out.end(result.Summary())
}
