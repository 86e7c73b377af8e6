package algorithms

import (
	"cmp"
	"math"
	"slices"
)

// KMeans cuts vertices into k clusters by their vectors, so that each is near the mean of its cluster.
//
//	centers: k vectors that are drawn (initialSampler)
//	repeat: community(v) = argmin |x(v) - center|, of several the first;   center = mean of its vectors, if it has any
//	until fewer than deltaThreshold of all vertices change theirs, or none does, or so many times
//	distanceFromCentroid(v) = |x(v) - center| of its community
//
// The result is that of the search whose mean distance is least, of numberOfRestarts that begin with other centers. It
// is a local optimum; clusters may be empty. Where there are fewer than k vertices each is a center. Numbers are read
// as float32, and computed with in double precision, sums in the order of vertices. O(n·k·d·iterations) for vectors of
// d numbers. Lloyd, "Least squares quantization in PCM", 1982. uniform draws k vertices, kmeans++ one after the other,
// each by the square of its distance from the nearest center before (Arthur and Vassilvitskii 2007). Parameters as in
// Neo4j GDS.
var kmeans = &Algorithm{
	Name:    "kmeans",
	Aliases: []string{"k-means"},
	Summary: "clusters of vertices with vectors near the mean of their cluster",
	Source:  "Lloyd 1982; Arthur and Vassilvitskii 2007",
	Params: []Param{
		{Name: "nodeProperty", Type: ParamVectors, Doc: "the vertex property whose vectors, or numbers, are clustered"},
		{Name: "k", Type: ParamInt, Default: "10", Min: 1, Max: MaxWidth, Doc: "how many clusters there are"},
		{Name: "iterations", Type: ParamInt, Default: "10", Min: 1, Max: math.MaxInt32, Doc: "at most this many"},
		{Name: "deltaThreshold", Type: ParamFloat, Default: "0.05", Max: 1,
			Doc: "stop when fewer than this part of all vertices change their cluster"},
		{Name: "numberOfRestarts", Type: ParamInt, Default: "1", Min: 1, Max: 1000,
			Doc: "searches, of which the best one counts"},
		{Name: "initialSampler", Type: ParamChoice, Choices: []string{"uniform", "kmeans++"}, Default: "uniform",
			Doc: "how the first centers are drawn"},
		{Name: "seed", Type: ParamInt, Default: "1", Doc: "draws other centers"},
	},
	Result:    kmeansColumns(),
	Yield:     "communityId",
	Procedure: &Procedure{Edgeless: true, EdgeColumns: noEdgeColumns},
	// Sums in another order of vertices are rounded otherwise.
	Approximate: true,
	Oracle:      kmeansOracle,
	Verify:      asOracle(kmeansOracle, kmeansColumns()...), // a search that was stopped has no property of its own
	Figures:     communityFigures,
	Measures: func(result []Values) []Measure {
		return []Measure{{"mean distance", meanDistance(result[1].Floats)}}
	},
}

func kmeansColumns() []Column {
	return []Column{{Name: "community", Type: Int}, {Name: "distanceFromCentroid", Type: Float}}
}

func meanDistance(distances []float64) float64 {
	return sum(distances) / float64(max(len(distances), 1))
}

// KMeansArrival is when a vertex comes by, in a race that draws a center: an exponential variable. Who comes first of
// all is drawn evenly; who comes first by arrival/weight, in proportion to weights (Efraimidis and Spirakis 2006).
// Arrivals follow from ids, so that the order of vertices does not matter.
func KMeansArrival(seed uint64, restart, center int, id int64) float64 {
	x := mix(id, mix(int64(center), mix(int64(restart), seed)))
	return -math.Log((float64(x>>12) + 0.5) * 0x1p-52)
}

// kmeansOracle searches as the textbook has it.
func kmeansOracle(g *Graph, args Args) ([]Values, error) {
	vectors, err := g.vectors(args, "nodeProperty")
	if err != nil {
		return nil, err
	}
	var best *lloyd
	for r := range int(args.Ints["numberOfRestarts"]) {
		l := &lloyd{vectors: vectors, community: make([]int64, g.N()), distances: make([]float64, g.N())}
		l.draw(g, args, r)
		l.search(int(args.Ints["iterations"]), args.Floats["deltaThreshold"])
		if best == nil || meanDistance(l.distances) < meanDistance(best.distances) {
			best = l
		}
	}
	return append(intResult("community", Int, best.community),
		floatResult("distanceFromCentroid", best.distances)...), nil
}

// lloyd is one search.
type lloyd struct {
	vectors   [][]float32
	centers   [][]float64
	community []int64
	distances []float64
}

// draw draws the first centers, each by a race of the vertices that are none yet.
func (l *lloyd) draw(g *Graph, args Args, restart int) {
	seed, drawn := uint64(args.Ints["seed"]), make([]bool, g.N())
	for c := range min(int(args.Ints["k"]), g.N()) {
		var racers []int
		for v := range drawn {
			if !drawn[v] {
				racers = append(racers, v)
			}
		}
		arrival := func(v int) float64 { return KMeansArrival(seed, restart, 0, g.IDs[v]) }
		if args.Strings["initialSampler"] == "kmeans++" && c > 0 {
			arrival = func(v int) float64 {
				least := math.Inf(1)
				for _, center := range l.centers {
					least = min(least, SquaredFrom(l.vectors[v], center))
				}
				return KMeansArrival(seed, restart, c, g.IDs[v]) / least // +Inf where a center is
			}
		}
		first := slices.MinFunc(racers, func(v, u int) int {
			return cmp.Or(cmp.Compare(arrival(v), arrival(u)), cmp.Compare(g.IDs[v], g.IDs[u]))
		})
		drawn[first] = true
		l.centers = append(l.centers, doubles(l.vectors[first]))
	}
}

func doubles(x []float32) []float64 {
	y := make([]float64, len(x))
	for k := range x {
		y[k] = float64(x[k])
	}
	return y
}

// search goes on until few vertices change their community.
func (l *lloyd) search(iterations int, threshold float64) {
	for i := range iterations {
		if i > 0 {
			l.means()
		}
		changed := 0
		for v, x := range l.vectors {
			nearest, least := 0, math.Inf(1)
			for c, center := range l.centers {
				if square := SquaredFrom(x, center); square < least {
					nearest, least = c, square
				}
			}
			if i == 0 || l.community[v] != int64(nearest) {
				changed++
			}
			l.community[v], l.distances[v] = int64(nearest), math.Sqrt(least)
		}
		if changed == 0 || float64(changed) < threshold*float64(len(l.vectors)) {
			return
		}
	}
}

// means makes each center the mean of its vectors.
func (l *lloyd) means() {
	sums, counts := make([][]float64, len(l.centers)), make([]float64, len(l.centers))
	for v, x := range l.vectors {
		c := l.community[v]
		if counts[c]++; sums[c] == nil {
			sums[c] = make([]float64, len(x))
		}
		for k := range x {
			sums[c][k] += float64(x[k])
		}
	}
	for c, sum := range sums {
		for k := range sum {
			l.centers[c][k] = sum[k] / counts[c]
		}
	}
}

// SquaredFrom is the square of the distance of a vector from a center.
func SquaredFrom(x []float32, center []float64) (square float64) {
	for k := range x {
		d := float64(x[k]) - center[k]
		square += d * d
	}
	return square
}
