package drawn

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// Bind chooses arguments for a on g. It fails where a needs what g has not, such as a
// vertex to start from.
func Bind(t *testing.T, r *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph) (algorithms.Args, bool) {
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
	oracletest.Together(r, a, g.N(), params)
	args, err := a.Bind(params, Env(g))
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
	if p.Default == Weight {
		return Weight
	}
	return share
}

// Env is what a program of one's own is built for.
func Env(g *algorithms.Graph) algorithms.Env {
	return algorithms.Env{
		Directed:      g.Directed,
		MostIn:        func() (int64, error) { return g.MostIn(), nil },
		N:             g.N(),
		M:             g.M(),
		EdgeColumns:   EdgeColumns(g),
		VertexColumns: g.VertexColumns(),
		Vectors:       g.Vectors(),
		VectorWidth:   g.VectorWidth,
		Vertex:        func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) },
	}
}
