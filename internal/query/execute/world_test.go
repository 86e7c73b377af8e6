package execute_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/execute"
	"github.com/penstock-db/penstock/internal/query/parse"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/internal/scratch"
	"github.com/penstock-db/penstock/store"
)

// world is a graph in a database, and the means to run statements on it.
type world struct {
	t      *testing.T
	db     *store.DB
	limits execute.Limits
	pool   *memory.Pool
}

func newWorld(t *testing.T) *world {
	db, err := store.Open(scratch.Dir(t), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	return &world{t: t, db: db, pool: memory.Unlimited()}
}

// with plans a statement in a transaction of its own, which is rolled back after use unless that commits it.
func (w *world) with(access store.Access, text string, use func(*store.Tx, *plan.Plan) error) error {
	w.t.Helper()
	stmt, err := parse.Statement(text)
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	tx, err := w.db.Begin(w.t.Context(), "g", access)
	if err != nil {
		w.t.Fatal(err)
	}
	defer tx.Rollback()
	p, err := plan.New(stmt, tx, procedure.New())
	if err != nil {
		return err
	}
	return use(tx, p)
}

// execute runs a plan on a graph and gives its rows as text. Whatever happens, it must give back all the
// memory that it took.
func (w *world) execute(ctx context.Context, g execute.Graph, p *plan.Plan) (rows []string, counters execute.Counters,
	err error) {
	w.t.Helper()
	account := w.pool.Open()
	counters, err = execute.Run(memory.With(ctx, account), p, g, nil, w.limits,
		func(row []value.Value, bytes int64) error {
			rows = append(rows, value.OfList(row).Text())
			account.Give(bytes)
			return nil
		})
	if left := account.Close(); left != 0 {
		w.t.Errorf("%s: %d bytes are left in its account", p, left)
	}
	return rows, counters, err
}

// try runs a statement, which may change the graph.
func (w *world) try(ctx context.Context, text string) (rows []string, counters execute.Counters, err error) {
	w.t.Helper()
	err = w.with(store.WriteAccess, text, func(tx *store.Tx, p *plan.Plan) (err error) {
		if rows, counters, err = w.execute(ctx, tx, p); err == nil {
			err = tx.Commit(w.t.Context())
		}
		return err
	})
	return rows, counters, err
}

func (w *world) run(text string) []string {
	w.t.Helper()
	rows, _, err := w.try(w.t.Context(), text)
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	return rows
}

// read runs a statement in a transaction that only reads: rows in their order, or the error.
func (w *world) read(text string) (rows []string) {
	w.t.Helper()
	err := w.with(store.ReadAccess, text, func(tx *store.Tx, p *plan.Plan) (err error) {
		rows, _, err = w.execute(w.t.Context(), tx, p)
		return err
	})
	if err != nil {
		return []string{err.Error()}
	}
	return rows
}

// explain is the plan of a statement.
func (w *world) explain(text string) (shown string) {
	w.t.Helper()
	err := w.with(store.ReadAccess, text, func(_ *store.Tx, p *plan.Plan) error {
		shown = p.String()
		return nil
	})
	if err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
	return shown
}

// oracle is the same graph in plain slices.
type oracle struct {
	nodes []oracleNode
	rels  []oracleRelationship
}

type oracleNode struct {
	label string
	x     int
}

type oracleRelationship struct {
	start, end int
	typ        string
}

// fill makes a random graph, with loops and parallel relationships, in the world and the oracle.
func (w *world) fill(rnd *rand.Rand, nodes, rels int) *oracle {
	o := &oracle{}
	for i := range nodes {
		n := oracleNode{pick(rnd, "A", "B"), rnd.IntN(3)}
		o.nodes = append(o.nodes, n)
		w.run(fmt.Sprintf("CREATE (:%s {n: %d, x: %d})", n.label, i, n.x))
	}
	for range rels {
		r := oracleRelationship{rnd.IntN(nodes), rnd.IntN(nodes), pick(rnd, "R", "S")}
		o.rels = append(o.rels, r)
		w.run(fmt.Sprintf("MATCH (a {n: %d}), (b {n: %d}) CREATE (a)-[:%s]->(b)", r.start, r.end, r.typ))
	}
	return o
}

func pick(rnd *rand.Rand, of ...string) string { return of[rnd.IntN(len(of))] }

func sorted(rows []string) []string {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}
