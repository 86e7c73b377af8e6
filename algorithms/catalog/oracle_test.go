package catalog_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// randomCases runs check on many random cases of every algorithm; a failure names its seed.
func randomCases(t *testing.T, count int, check func(*rand.Rand, *algorithms.Algorithm, oracletest.Case) error) {
	for _, a := range catalog.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(count) {
				rng := rand.New(rand.NewPCG(seed, 2))
				c, err := oracletest.RandomCase(rng, a, 0)
				if err == nil {
					err = check(rng, a, c)
				}
				if err != nil {
					t.Fatalf("seed %d, params %v, graph %+v:\n%v", seed, c.Params, c.Graph, err)
				}
			}
		})
	}
}

func TestOracle_EqualsProgram(t *testing.T) {
	randomCases(t, 200, func(_ *rand.Rand, a *algorithms.Algorithm, c oracletest.Case) error {
		if a.Program == nil {
			return nil
		}
		p, err := a.Program(c.Args)
		if err != nil {
			return err
		}
		got, _, err := algorithms.RunProgram(c.Graph, p)
		if err != nil {
			return err
		}
		want, err := a.Oracle(c.Graph, c.Args)
		if err != nil {
			return err
		}
		if a.Approximate {
			return a.Verify(c.Graph, c.Args, a.ResultOf(got))
		}
		share := 0.0
		if p.Reduce == algorithms.Sum {
			share = oracletest.Rounding
		}
		return oracletest.Differ(a.ResultOf(got), want, share)
	})
}

func TestVerify_AcceptsTheOracle(t *testing.T) {
	randomCases(t, 200, func(_ *rand.Rand, a *algorithms.Algorithm, c oracletest.Case) error {
		result, err := a.Oracle(c.Graph, c.Args)
		if err != nil {
			return err
		}
		if a.Figures != nil && len(a.Figures(result)) == 0 {
			return fmt.Errorf("no figures")
		}
		for i, want := range a.Columns(c.Args) {
			if result[i].Column != want {
				return fmt.Errorf("column %v, but the catalog has %v", result[i].Column, want)
			}
		}
		return a.Verify(c.Graph, c.Args, result)
	})
}

func TestVerify_RejectsAChangedValue(t *testing.T) {
	randomCases(t, 200, func(rng *rand.Rand, a *algorithms.Algorithm, c oracletest.Case) error {
		result, err := a.Oracle(c.Graph, c.Args)
		if err != nil {
			return err
		}
		if c.Params["mode"] == "descent" {
			return nil // another of the same similarity is no less right
		}
		if a.Name == "louvain" && c.Params["seedProperty"] != "" {
			return nil // a vertex without edges may be in the community of another seed
		}
		v := rng.IntN(result[0].Len())
		perturb(result[0], v)
		if a.Verify(c.Graph, c.Args, result) == nil {
			return fmt.Errorf("accepted %v with a changed value at position %d", result, v)
		}
		return nil
	})
}

func perturb(column algorithms.Values, v int) {
	switch {
	case column.Type == algorithms.Bool:
		column.Bools[v] = !column.Bools[v]
	case column.Type != algorithms.Float:
		column.Ints[v]++
	case math.IsInf(column.Floats[v], 0):
		column.Floats[v] = 5
	case column.Floats[v]+0.37 == column.Floats[v]: // too large to be changed by that
		column.Floats[v] *= 2
	default:
		column.Floats[v] += 0.37
	}
}

func TestVerify_RejectsAResultOfTheWrongShape(t *testing.T) {
	randomCases(t, 3, func(_ *rand.Rand, a *algorithms.Algorithm, c oracletest.Case) error {
		result, err := a.Oracle(c.Graph, c.Args)
		if err != nil {
			return err
		}
		short := algorithms.NewValues(a.Result[0], c.Graph.N()+1)
		other := algorithms.NewValues(algorithms.Column{Type: (a.Result[0].Type + 1) % 3}, c.Graph.N())
		for _, wrong := range [][]algorithms.Values{nil, {result[0], result[0]}, {short}, {other}} {
			if a.Verify(c.Graph, c.Args, wrong) == nil {
				return fmt.Errorf("accepted %v", wrong)
			}
		}
		return nil
	})
}
