package plugintest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testCatalog compares every algorithm of the catalog with its oracle.
func testCatalog(t *testing.T, device plugins.Device) {
	lists := describe(t, device)
	for _, name := range lists.Procedures {
		if a, err := algorithms.Lookup(name); err != nil || a.Name != name || a.Procedure == nil {
			t.Errorf("the device lists %q, which is no procedure", name)
		}
	}
	for _, name := range lists.Programs {
		if a, err := algorithms.Lookup(name); err != nil || a.Name != name || a.Procedure != nil {
			t.Errorf("the device lists %q, which is no vertex program of the catalog", name)
		}
	}
	for _, a := range long.Raced(t, algorithms.All(), 16) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			if !listed(lists, a) {
				testUnlisted(t, r, device, a)
				t.Skip("the device does not list it")
			}
			for range graphs(t) {
				testAlgorithm(t, r, device, a, randomGraph(r), modes...)
			}
		})
	}
}

// everyProgram tests the programs of the catalog on random graphs, so that their state can be
// restored, in the modes that are wanted.
func everyProgram(t *testing.T, device plugins.Device, wanted func(mode) bool,
	test func(*testing.T, *rand.Rand, plugins.Device, *algorithms.Algorithm, *algorithms.Graph, mode)) {
	for _, a := range long.Raced(t, programs(describe(t, device)), 8) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range graphs(t) {
				g := randomGraph(r)
				for _, m := range modes {
					if wanted(m) {
						m.restorable = true
						test(t, r, device, a, g, m)
					}
				}
			}
		})
	}
}

// testUnlisted: what a device does not list it refuses by the right kind, and is not asked for.
func testUnlisted(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm) {
	g := randomGraph(r)
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	var w work
	if a.Procedure != nil {
		w = procedureWork(a, args)
	} else if p, err := a.Program(args); err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	} else {
		w = programWork(t, g, p)
	}
	_, err := newRig(t, r, device, g, w, modes[0])
	if err := unlisted(err); err != nil {
		t.Error(err)
	}
}

// testShapes runs the catalog on graphs of awkward shape. Each is directed or not, as is drawn; where algorithms meet
// more than one random graph, it is both.
func testShapes(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	lists := describe(t, device)
	for _, s := range shapes(r) {
		both := []bool{true, false}
		if graphs(t) == 1 {
			both = both[r.IntN(2):][:1]
		}
		for _, directed := range both {
			g := s.graph(directed)
			t.Run(fmt.Sprintf("%s, directed %v", s.name, directed), func(t *testing.T) {
				for _, a := range long.Raced(t, algorithms.All(), 16) {
					if listed(lists, a) {
						testAlgorithm(t, r, device, a, g, modes[0], modes[4])
					}
				}
			})
		}
	}
}

// hubBudget is ample for the graph with the hub, unless a device takes memory by pairs of vertices.
const hubBudget = 256 << 20

// testHub runs what takes few iterations on a vertex of very many edges.
func testHub(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for _, c := range []struct {
		directed bool
		mode     mode
	}{{true, modes[0]}, {false, modes[3]}} {
		g := hubGraph(r, c.directed)
		c.mode.budget = hubBudget
		a, err := algorithms.Lookup("wcc")
		if err != nil {
			t.Fatal(err)
		}
		if !listed(describe(t, device), a) {
			t.Skip("the device does not list it")
		}
		testAlgorithm(t, r, device, a, g, c.mode)
	}
}

// bind chooses arguments for a on g. It fails where a needs what g has not, such as a
// vertex to start from.
func bind(t *testing.T, r *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph) (algorithms.Args, bool) {
	t.Helper()
	params := map[string]string{}
	for _, p := range a.Params {
		if p.Name == "tolerance" {
			params[p.Name] = oracletest.Tolerance(r, p)
			continue
		}
		required := p.Default == "" && !p.Optional
		if !required && r.IntN(2) == 0 {
			continue
		}
		switch p.Type {
		case algorithms.ParamVertex:
			if g.N() == 0 {
				return algorithms.Args{}, false
			}
			params[p.Name] = vertices(r, g, 1)
		case algorithms.ParamVertices:
			if g.N() == 0 && required {
				return algorithms.Args{}, false
			}
			if g.N() == 0 {
				continue
			}
			params[p.Name] = vertices(r, g, min(g.N(), 1+r.IntN(6)))
		case algorithms.ParamProperty:
			params[p.Name] = property(p)
		case algorithms.ParamVertexProperty:
			params[p.Name] = oracletest.VertexProperty(r, p)
		case algorithms.ParamVectors:
			params[p.Name] = oracletest.Vectors(r, p)
		case algorithms.ParamChoice:
			params[p.Name] = p.Choices[r.IntN(len(p.Choices))]
		case algorithms.ParamFloats:
			params[p.Name] = oracletest.Floats(r)
		case algorithms.ParamInt:
			params[p.Name] = strconv.Itoa(integer(r, p))
		case algorithms.ParamFloat:
			if required {
				params[p.Name] = strconv.FormatFloat(p.Min+r.Float64()*max(0, min(p.Max-p.Min, 1)), 'g', -1, 64)
			}
		}
	}
	oracletest.Together(r, a, params)
	args, err := a.Bind(params, env(g))
	if err != nil {
		t.Fatalf("%s %v: %v", a.Name, params, err)
	}
	return args, true
}

// integer is a small number that p may be: from 1 on, where it may be that.
func integer(r *rand.Rand, p algorithms.Param) int {
	least, most := 1, 6
	if p.Min < p.Max {
		least = max(least, int(p.Min))
		most = min(least+5, int(min(p.Max, 1<<31)))
	}
	return least + r.IntN(max(1, most-least+1))
}

// vertices names some vertices of g, all different.
func vertices(r *rand.Rand, g *algorithms.Graph, count int) string {
	var names []string
	for _, v := range r.Perm(g.N())[:count] {
		names = append(names, strconv.FormatInt(g.IDs[v], 10))
	}
	return strings.Join(names, ",")
}

// property is the edge property for p: distances where `weight` is what p is by default,
// shares where it weighs neighbors.
func property(p algorithms.Param) string {
	if p.Default == weight {
		return weight
	}
	return share
}

// testAlgorithm runs a on g in the given modes, with the same arguments.
func testAlgorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	modes ...mode) {
	t.Helper()
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	want, wantErr := a.Oracle(g, args)
	for _, m := range modes {
		if (m.streamed || m.settled) && !m.passes && a.Procedure != nil {
			continue
		}
		got, err := runAlgorithm(t, r, device, a, args, g, m)
		if (m.streamed || m.settled) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it, %s: %v", m.name, err)
			continue
		}
		if mayLack(a, args) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it with these arguments: %v", err)
			continue
		}
		if m.budget > 0 && plugins.KindOf(err) == plugins.KindBudget {
			t.Logf("the device has too little memory for %d vertices, %s: %v", g.N(), m.name, err)
			continue
		}
		if err := judge(a, g, args, got, err, want, wantErr); err != nil {
			t.Errorf("%s, %s, %d vertices, %d edges, directed %v, %+v: %v",
				a.Name, m.name, g.N(), edgeCount(g), g.Directed, args, err)
		}
	}
}

// mayLack tells whether a device may refuse an algorithm that it lists, for these arguments: a procedure by an edge
// property that it can do without, or by vertices that it leaves out.
func mayLack(a *algorithms.Algorithm, args algorithms.Args) bool {
	if algorithms.MaxDegree(args) < math.MaxInt64 {
		return true
	}
	return a.Procedure != nil && slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
		return p.Type == algorithms.ParamProperty && p.Optional && p.Default == "" && args.Strings[p.Name] != ""
	})
}

// judge compares a run with the oracle and with the properties that define the result.
func judge(a *algorithms.Algorithm, g *algorithms.Graph, args algorithms.Args, got []algorithms.Values, err error,
	want []algorithms.Values, wantErr error) error {
	var diverged *algorithms.DivergedError
	switch {
	case errors.As(wantErr, &diverged) && errors.As(err, &diverged):
		return nil
	case wantErr != nil && err != nil:
		return fmt.Errorf("ended with %w; expected %w", err, wantErr)
	case wantErr != nil:
		return fmt.Errorf("ended well; expected %w", wantErr)
	case err != nil:
		return fmt.Errorf("ended with %w; expected a result", err)
	}
	if a.Shape == algorithms.OfRows {
		return sameRows(g, a.Columns(args), got, want, nearlyFor(args))
	}
	if err := differs(g, got, want, nearlyFor(args)); err != nil && !a.Approximate {
		return err
	}
	return a.Verify(g, args, got)
}

func runAlgorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, args algorithms.Args,
	g *algorithms.Graph, m mode) ([]algorithms.Values, error) {
	t.Helper()
	if a.Procedure != nil {
		o, err := runWork(t, r, device, g, procedureWork(a, args), m)
		if o.last.Cycle != nil {
			err = &algorithms.DivergedError{Program: a.Name, Meaning: a.Procedure.Diverged}
		}
		return o.values, err
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	o, err := runProgram(t, r, device, g, p, m)
	if err != nil {
		return nil, err
	}
	return a.ResultOf(o.values), nil
}

// runProgram runs p to its end; that it has none is a DivergedError, as a host makes of it.
func runProgram(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program,
	m mode) (outcome, error) {
	t.Helper()
	o, err := runWork(t, r, device, g, programWork(t, g, p), m)
	if err == nil {
		err = p.Divergence(o.values[0], o.last.Number, settled(p, g, o.last))
	}
	return o, err
}

// settled tells a run that has ended by its own rule from one that has spent its iterations.
func settled(p *algorithms.Program, g *algorithms.Graph, last plugins.Iteration) bool {
	return g.N() == 0 || last.Active == 0 || p.Norm != algorithms.NoNorm && last.Change <= p.Tolerance
}

func runWork(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w work, m mode) (outcome, error) {
	t.Helper()
	rig, err := newRig(t, r, device, g, w, m)
	if err != nil {
		return outcome{}, err
	}
	defer rig.close()
	return rig.run()
}
