package paths

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// MaxFlow sends as much as edges let through from the source to the target, and cuts the graph where no more goes.
//
//	S = { v : what the largest flow leaves of capacities leads from the source to v }
//	side(v) = v ∈ S;   cut(v) = Σ { c(v,u) : v ∈ S, u ∉ S }, whose sum over all vertices is the largest flow
//
// Of all cuts of the least capacity S is the one nearest to the source, so that there is one result, whichever flow was
// found. An edge of an undirected graph lets as much through either way; parallel edges add up, loops do not count.
// Capacities are rounded to whole numbers of a unit, at most 2^(b-60) of the largest where b bits count the source's
// edges. Where source and target are the same nothing flows. O(n²·m) at most. Ford and Fulkerson, "Maximal flow through
// a network", 1956; Dinitz, "Algorithm for solution of a problem of maximum flow", 1970.
var MaxFlow = &algorithms.Algorithm{
	Name:    "max-flow",
	Aliases: []string{"min-cut"},
	Summary: "largest flow from a source to a target, and the least cut between them",
	Source:  "Ford and Fulkerson 1956; Dinitz 1970",
	Params: []algorithms.Param{param.Source, {Name: "target", Type: algorithms.ParamVertex, Doc: "the vertex to come to"},
		param.Weight("how much an edge lets through")},
	Result:    flowColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    maxFlowOracle,
	Verify:    verifyMaxFlow,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, inside := range result[0].Bools {
			if inside {
				count++
			}
		}
		return []algorithms.Figure{{Name: "vertices on the source's side", Value: count}}
	},
}

func flowColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "side", Type: algorithms.Bool}, {Name: "cut", Type: algorithms.Float}}
}

// residual is what is left of capacities, of each vertex to others.
type residual []map[int]int64

// capacities are those of g as whole numbers. It fails where one is none, or below 0.
func capacities(g *algorithms.Graph, args algorithms.Args, source int) (residual, error) {
	weights, largest := g.Out.Weights(args.Strings["weight"]), 0.0
	for v := range g.N() {
		for k, u := range g.Out.Of(v) {
			w := weights[g.Out.Offsets[v]+k]
			if w < 0 || w-w != 0 {
				return nil, answer.WrongAt(g, v, "an edge of it lets %v through; capacities must be finite and not below 0", w)
			}
			if int(u) != v {
				largest = max(largest, w)
			}
		}
	}
	r, shift := make(residual, g.N()), algorithms.CapacityShift(largest, g.Out.Degree(source))
	for v := range r {
		r[v] = map[int]int64{}
	}
	for v := range r {
		for k, u := range g.Out.Of(v) {
			if int(u) != v {
				r[v][int(u)] += algorithms.WholeCapacity(weights[g.Out.Offsets[v]+k], shift)
				r[u][v] += 0
			}
		}
	}
	return r, nil
}

// flow goes along shortest ways with something left until there is none (Edmonds and Karp 1972). It returns how much.
func (r residual) flow(source, target int) (total int64) {
	for source != target {
		from := r.search(source)
		if from[target] < 0 {
			break
		}
		least := int64(math.MaxInt64)
		for v := target; v != source; v = from[v] {
			least = min(least, r[from[v]][v])
		}
		for v := target; v != source; v = from[v] {
			r[from[v]][v] -= least
			r[v][from[v]] += least
		}
		total += least
	}
	return total
}

// search finds from where it comes to each vertex, -1 where it does not.
func (r residual) search(source int) []int {
	from := make([]int, len(r))
	for v := range from {
		from[v] = -1
	}
	from[source] = source
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		for u, left := range r[queue[0]] {
			if left > 0 && from[u] < 0 {
				from[u] = queue[0]
				queue = append(queue, u)
			}
		}
	}
	return from
}

func maxFlowOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, target, err := flowEnds(g, args)
	if err != nil {
		return nil, err
	}
	r, err := capacities(g, args, source)
	if err != nil {
		return nil, err
	}
	r.flow(source, target)
	result := []algorithms.Values{algorithms.NewValues(flowColumns()[0], g.N()),
		algorithms.NewValues(flowColumns()[1], g.N())}
	for v, from := range r.search(source) {
		result[0].Bools[v] = from >= 0
	}
	for v := range g.N() {
		result[1].Floats[v] = cutAt(g, args, result[0].Bools, v)
	}
	return result, nil
}

// flowEnds are the positions of the source and the target.
func flowEnds(g *algorithms.Graph, args algorithms.Args) (source, target int, err error) {
	if source, err = argument.Start(g, args); err != nil {
		return 0, 0, err
	}
	if target = g.Vertex(args.Ints["target"]); target < 0 {
		return 0, 0, answer.Wrong("the graph has no vertex with id %d", args.Ints["target"])
	}
	return source, target, nil
}

// cutAt is how much edges let through from v to the other side.
func cutAt(g *algorithms.Graph, args algorithms.Args, side []bool, v int) (sum float64) {
	weights := g.Out.Weights(args.Strings["weight"])
	for k, u := range g.Out.Of(v) {
		if side[v] && !side[u] {
			sum += weights[g.Out.Offsets[v]+k]
		}
	}
	return sum
}

// verifyMaxFlow checks that the cut parts source and target, and lets as much through as flows: no flow is larger than
// a cut, and none between these. No smaller set of vertices is such a cut: within it, what is left leads everywhere.
func verifyMaxFlow(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, flowColumns()...); err != nil {
		return err
	}
	source, target, err := flowEnds(g, args)
	if err != nil {
		return err
	}
	side := result[0].Bools
	if !side[source] || side[target] && source != target {
		return answer.WrongAt(g, source, "the cut does not part it from vertex %d", g.IDs[target])
	}
	r, err := capacities(g, args, source)
	if err != nil {
		return err
	}
	crossing := int64(0)
	for v := range r {
		for u, c := range r[v] {
			if side[v] && !side[u] {
				crossing += c
			}
		}
		if want := cutAt(g, args, side, v); !answer.Near(result[1].Floats[v], want) {
			return answer.WrongAt(g, v, "edges of it across the cut let %v through, not %v", want, result[1].Floats[v])
		}
	}
	if flow := r.flow(source, target); crossing != flow {
		return answer.Wrong("the cut lets %d units through; %d flow", crossing, flow)
	}
	for v, from := range r.search(source) {
		if side[v] && from < 0 {
			return answer.WrongAt(g, v, "on the source's side, which can do without it")
		}
	}
	return nil
}
