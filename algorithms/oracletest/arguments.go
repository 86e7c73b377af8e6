package oracletest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Env is what algorithms.Bind must know of g; a vertex is named by its id.
func Env(g *algorithms.Graph) algorithms.Env {
	return algorithms.Env{
		Directed: g.Directed, N: g.N(), M: g.M(), MostIn: func() (int64, error) { return g.MostIn(), nil },
		EdgeColumns: g.EdgeColumns(), VertexColumns: g.VertexColumns(), Vectors: g.Vectors(), VectorWidth: g.VectorWidth,
		Vertex: func(user string) (int64, error) {
			for _, id := range g.IDs {
				if strconv.FormatInt(id, 10) == user {
					return id, nil
				}
			}
			return 0, fmt.Errorf("no vertex %s", user)
		},
	}
}

// Params chooses parameters for a on g: a random source where one is needed, and
// sometimes several where they may be given, and lists of numbers; for half of the numbers with bounds, such as
// iterations and sources, one from 1 to 6; and iterations always if bounded, and what is Large. Tolerances are drawn.
func Params(rng *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph, bounded bool) map[string]string {
	params := map[string]string{}
	for _, p := range a.Params {
		switch {
		case p.Type == algorithms.ParamVertex:
			params[p.Name] = strconv.FormatInt(g.IDs[rng.IntN(g.N())], 10)
		case p.Type == algorithms.ParamVertices && g.N() > 0 && (!p.Optional || rng.IntN(3) == 0):
			params[p.Name] = Vertices(rng, g)
		case p.Type == algorithms.ParamChoice && rng.IntN(2) == 0:
			params[p.Name] = p.Choices[rng.IntN(len(p.Choices))]
		case p.Type == algorithms.ParamVertexProperty && (!p.Optional || rng.IntN(2) == 0):
			params[p.Name] = VertexProperty(rng, p)
		case p.Type == algorithms.ParamVectors && (!p.Optional || rng.IntN(2) == 0):
			params[p.Name] = Vectors(rng, p)
		case p.Type == algorithms.ParamFloats && rng.IntN(2) == 0:
			params[p.Name] = Floats(rng)
		case p.Name == "tolerance":
			params[p.Name] = Tolerance(rng, p)
		case p.Type == algorithms.ParamInt && p.Min < p.Max && (p.Name == "iterations" && bounded || Large(p) || rng.IntN(2) == 0):
			params[p.Name] = strconv.Itoa(1 + rng.IntN(6))
		}
	}
	Together(rng, a, g.N(), params)
	return params
}

// Vary changes params where a need not have a result: half of what is no whole number is one within its bounds, and
// half of the edge properties are named.
func Vary(rng *rand.Rand, a *algorithms.Algorithm, g *algorithms.Graph, params map[string]string) {
	for _, p := range a.Params {
		together := p.Name == "tolerance" || p.Name == propertyRatio || strings.Contains(p.Name, ".")
		switch columns := g.EdgeColumns(); {
		case together || rng.IntN(2) == 0:
		case p.Type == algorithms.ParamFloat:
			params[p.Name] = Float(rng, p)
		case p.Type == algorithms.ParamProperty && len(columns) > 0:
			params[p.Name] = columns[rng.IntN(len(columns))]
		}
	}
}

// Large tells whether p multiplies by default what there is to compute, or to keep: tests give it a smaller number.
func Large(p algorithms.Param) bool {
	by, err := strconv.Atoi(p.Default)
	return err == nil && p.Type == algorithms.ParamInt && 50 < by && by < 1000
}

// Tolerance is up to a half more than that of p by default. A round one can be met exactly, by changes that are round:
// then how sums are rounded decides when a run ends, and results differ by an iteration.
func Tolerance(rng *rand.Rand, p algorithms.Param) string {
	by, err := strconv.ParseFloat(p.Default, 64)
	if err != nil {
		return p.Default
	}
	return strconv.FormatFloat(by*(1+rng.Float64()/2), 'g', -1, 64)
}

// Float is a number that p may be: now and then its least, or its largest if that is a share; else one from there up,
// by no more than three times what p is by default.
func Float(rng *rand.Rand, p algorithms.Param) string {
	by, _ := strconv.ParseFloat(p.Default, 64)
	least, most := max(p.Min, -1), min(p.Max, 1)
	if by > 0 {
		most = min(p.Max, 3*by)
	}
	x := least + rng.Float64()*(most-least)
	switch {
	case rng.IntN(8) == 0:
		x = least
	case rng.IntN(8) == 0 && p.Max <= 1:
		x = p.Max
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Floats are up to four numbers, between -1 and 2 and now and then 0.
func Floats(rng *rand.Rand) string {
	var all []string
	for range 1 + rng.IntN(4) {
		x := rng.Float64()*3 - 1
		if rng.IntN(4) == 0 {
			x = 0
		}
		all = append(all, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(all, ",")
}

// The vertex properties of random graphs: whole numbers, some of them below 0 and not many different, floats, and
// vectors, of which some are the same and some have no length, or of 0 and 1 alone.
const group, place, position, marks = "group", "place", "position", "marks"

// How many numbers a vector has.
const positionWidth, marksWidth = 11, 7

// Numbers are those that have one value a vertex.
func Numbers() []algorithms.Property {
	return []algorithms.Property{{Name: group, Type: algorithms.Int}, {Name: place, Type: algorithms.Float}}
}

// VertexProperty is one for p.
func VertexProperty(rng *rand.Rand, p algorithms.Param) string {
	if p.Values == algorithms.Int || rng.IntN(2) == 0 {
		return group
	}
	return place
}

// Vectors is one for p whose values are vectors, or several.
func Vectors(rng *rand.Rand, p algorithms.Param) string {
	all := []string{group, place, position, marks}
	if p.Several && rng.IntN(2) == 0 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return strings.Join(all[:2+rng.IntN(len(all)-1)], ",")
	}
	return all[rng.IntN(len(all))]
}

// width is how many numbers the vectors of a property have: one where no vertex tells.
func width(numbers, vertices int) int {
	if vertices == 0 {
		return 1
	}
	return numbers
}

// WithProperties gives g the vertex properties that VertexProperty and Vectors name. They follow from the ids.
func WithProperties(g *algorithms.Graph) *algorithms.Graph {
	groups := algorithms.NewValues(algorithms.Column{Name: group, Type: algorithms.Int}, g.N())
	places := algorithms.NewValues(algorithms.Column{Name: place, Type: algorithms.Float}, g.N())
	at := algorithms.Column{Name: position, Type: algorithms.Float, Each: width(positionWidth, g.N())}
	positions := algorithms.NewValues(at, g.N())
	some := algorithms.Column{Name: marks, Type: algorithms.Int, Each: width(marksWidth, g.N())}
	marked := algorithms.NewValues(some, g.N())
	for v, id := range g.IDs {
		for k := range marked.Each {
			marked.Ints[v*marked.Each+k] = id % 53 >> k & 1
		}
		groups.Ints[v], places.Floats[v] = id%97%7-2, float64(id%89)/8-3
		for k := range positions.Each {
			positions.Floats[v*positions.Each+k] = math.Sin(float64(id%61)*float64(k+1)) * float64(id%5)
		}
	}
	g.Properties = map[string]algorithms.Values{group: groups, place: places, position: positions, marks: marked}
	return g
}

// Vertices names up to six vertices of g, or all of fewer.
func Vertices(rng *rand.Rand, g *algorithms.Graph) string {
	var names []string
	for _, v := range rng.Perm(g.N())[:min(g.N(), 1+rng.IntN(6))] {
		names = append(names, strconv.FormatInt(g.IDs[v], 10))
	}
	return strings.Join(names, ",")
}

// Case is an algorithm with arguments for a graph.
type Case struct {
	Graph  *algorithms.Graph
	Params map[string]string
	Args   algorithms.Args
}

// RandomCase makes a graph and arguments with which a has a result. An algorithm that has none on cycles gets
// graphs without, or a bound on its walks, if it takes one.
func RandomCase(rng *rand.Rand, a *algorithms.Algorithm, maxVertices int) (Case, error) {
	c := Config{MaxVertices: maxVertices, Directed: rng.IntN(2) == 0, Unweighted: rng.IntN(4) == 0,
		Simple: rng.IntN(4) == 0}
	if a.Acyclic && !bounds(a) {
		c.Directed, c.Acyclic = true, true
	} else {
		c.Acyclic = c.Directed && a.Acyclic && rng.IntN(4) > 0
	}
	g := RandomGraph(rng, c)
	params := Params(rng, a, g, a.Acyclic && !c.Acyclic)
	args, err := a.Bind(params, Env(g))
	return Case{g, params, args}, err
}

// bounds tells whether an algorithm takes a bound on its walks.
func bounds(a *algorithms.Algorithm) bool {
	return slices.ContainsFunc(a.Params, func(p algorithms.Param) bool { return p.Name == "iterations" })
}
