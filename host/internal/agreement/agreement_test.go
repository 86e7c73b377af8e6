// Package agreement holds every algorithm of the catalog against its oracle, as a user runs it: the graph goes through
// the store, and is computed on by the CPU plugin in a process of its own.
//
//	draw ──▶ Graph ──▶ store ──▶ host ──▶ plugin ──▶ result
//	           └──────▶ Oracle, Verify ──▶ equal? ◀────┘
package agreement_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	_ "github.com/penstock-db/penstock/plugins/cpu/reexec" // lets this test program be the CPU plugin
	"github.com/penstock-db/penstock/store"
)

// mostTime is what a run may take that ends: they take milliseconds.
const mostTime = 10 * time.Second

// graphs is how many graphs each algorithm meets.
func graphs() int {
	if long.Tests() {
		return 200
	}
	return 8
}

// Every algorithm agrees with its oracle on random graphs, with random parameters, and has a result on many of them.
// PENSTOCK_TEST_SEED repeats a test; PENSTOCK_LONG=1 is of 200 graphs.
func TestCatalog_AgreesWithOracles(t *testing.T) {
	seed := testseed.New(t)
	results := map[string]int{}
	for number := range graphs() {
		rng := rand.New(rand.NewPCG(seed, uint64(number)))
		g := draw(rng, number)
		t.Run(fmt.Sprintf("%d vertices, %d", g.N(), number), func(t *testing.T) {
			engine := host.NewEngine(time.Hour)
			defer engine.Close()
			snap := g.stored(t, 1<<10+rng.IntN(32<<10))
			for _, a := range catalog.All() {
				c := newCase(rng, g, a)
				if c == nil {
					continue
				}
				if err := c.run(engine, snap, 1+rng.IntN(3)); err != nil {
					t.Errorf("%s %v on a graph of %d vertices and %d list entries, directed %v, weights %s: %v", a.Name, c.params,
						g.N(), len(g.Out.Neighbors), g.Directed, g.weights, err)
				}
				if c.found {
					results[a.Name]++
				}
			}
		})
	}
	for _, a := range catalog.All() {
		if 8*results[a.Name] < graphs() {
			t.Errorf("%s has a result on %d of %d graphs: that proves little", a.Name, results[a.Name], graphs())
		}
	}
	t.Logf("graphs with a result: %v", results)
}

// agreement is an algorithm on a graph.
type agreement struct {
	drawing
	algorithm *algorithms.Algorithm
	params    map[string]string
	found     bool // there is a result
}

// newCase draws parameters; nil: a vertex is needed, and there is none.
func newCase(rng *rand.Rand, g drawing, a *algorithms.Algorithm) *agreement {
	for _, p := range a.Params {
		vertex := p.Type == algorithms.ParamVertex || p.Type == algorithms.ParamVertices && !p.Optional
		if vertex && g.N() == 0 {
			return nil
		}
	}
	bounded := a.Acyclic && !g.acyclic && rng.IntN(4) > 0
	params := oracletest.Params(rng, a, g.Graph, bounded)
	oracletest.Vary(rng, a, g.Graph, params)
	return &agreement{drawing: g, algorithm: a, params: params}
}

// run compares the result, or the refusal, with that of the oracle.
func (c *agreement) run(engine *host.Engine, snap *store.Snapshot, threads int) error {
	args, err := c.algorithm.Bind(c.params, oracletest.Env(c.Graph))
	if err != nil {
		return err
	}
	want, wantErr := c.algorithm.Oracle(c.Graph, args)
	request := host.Request{Algorithm: c.algorithm.Name, Params: c.params, Device: "cpu", Threads: threads}
	ctx, cancel := context.WithTimeout(context.Background(), mostTime)
	defer cancel()
	got, err := engine.Run(ctx, snap, request, host.Events{})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return err
	case strings.HasSuffix(c.algorithm.Name, "-reliability") && c.weights != "none" && c.weights != "shares":
		return nil // what is no probability has no meaning there: it has to end, and that is all
	case err != nil && (wantErr != nil || c.weights == huge):
		return nil
	case wantErr != nil:
		return fmt.Errorf("there is a result; expected %w", wantErr)
	case err != nil:
		return err
	}
	c.found = true
	share := oracletest.Rounding
	if c.params["precision"] == "single" {
		share = 1e-6
	}
	// Where sums of weights are rounded, one path may stand for another: how far they may is for Verify to tell.
	judged := c.algorithm.Approximate || c.algorithm.Shape == algorithms.OfPaths
	if err := oracletest.Differ(got.Columns, want, share); err != nil && !judged {
		return err
	}
	return c.algorithm.Verify(c.Graph, args, got.Columns)
}
