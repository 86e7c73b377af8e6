package community

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/vector"
	"github.com/penstock-db/penstock/algorithms/random"
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
// each by the square of its distance from the nearest center before (Arthur and Vassilvitskii 2007). Nothing is drawn
// where seedCentroids gives the centers.
//
//	silhouette(v) = (b - a) / max(a, b)    a: the mean distance from others of its community
//	                                       b: the least mean distance from those of another
//
// It is 0 of a vertex that is alone in its community, and where there is no other (Rousseeuw, "Silhouettes: a graphical
// aid to the interpretation and validation of cluster analysis", 1987). O(n²·d). Parameters as in Neo4j GDS.
var KMeans = &algorithms.Algorithm{
	Name:    "kmeans",
	Aliases: []string{"k-means"},
	Summary: "clusters of vertices with vectors near the mean of their cluster",
	Source:  "Lloyd 1982; Arthur and Vassilvitskii 2007",
	Params: []algorithms.Param{
		{Name: "nodeProperty", Type: algorithms.ParamVectors,
			Doc: "the vertex property whose vectors, or numbers, are clustered"},
		{Name: "k", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: algorithms.MaxWidth,
			Doc: "how many clusters there are"},
		{Name: "iterations", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: math.MaxInt32, Doc: "at most this many"},
		{Name: "deltaThreshold", Type: algorithms.ParamFloat, Default: "0.05", Max: 1,
			Doc: "stop when fewer than this part of all vertices change their cluster"},
		{Name: "numberOfRestarts", Type: algorithms.ParamInt, Default: "1", Min: 1, Max: 1000,
			Doc: "searches, of which the best one counts"},
		{Name: "initialSampler", Type: algorithms.ParamChoice, Choices: []string{"uniform", "kmeans++"}, Default: "uniform",
			Doc: "how the first centers are drawn"},
		{Name: "seed", Type: algorithms.ParamInt, Default: "1", Doc: "draws other centers"},
		{Name: "seedCentroids", Type: algorithms.ParamFloats, Optional: true, Min: -math.MaxFloat32, Max: math.MaxFloat32,
			Doc: "the first centers, number after number, k vectors in all; without it, they are drawn"},
		{Name: "computeSilhouette", Type: algorithms.ParamChoice, Choices: []string{"true", "false"}, Default: "false",
			Doc: "tell how much nearer to its own cluster a vertex is than to another"},
	},
	Derive:    wholeCenters,
	Result:    kmeansColumns(),
	Vary:      kmeansColumnsFor,
	Yield:     "communityId",
	Procedure: &algorithms.Procedure{Edgeless: true, EdgeColumns: argument.NoEdgeColumns},
	// Sums in another order of vertices are rounded otherwise.
	Approximate: true,
	Oracle:      kmeansOracle,
	Verify:      verifyKMeans,
	Figures:     communityFigures,
	Measures: func(result []algorithms.Values) []algorithms.Measure {
		all := []algorithms.Measure{{Name: "mean distance", Value: mean(result[1].Floats)}}
		if len(result) > 2 {
			all = append(all, algorithms.Measure{Name: "mean silhouette", Value: mean(result[2].Floats)})
		}
		return all
	},
}

const silhouette = "silhouette"

func kmeansColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "community", Type: algorithms.Int},
		{Name: "distanceFromCentroid", Type: algorithms.Float},
		{Name: silhouette, Type: algorithms.Float}}
}

func kmeansColumnsFor(args algorithms.Args, columns []algorithms.Column) []algorithms.Column {
	if args.Strings["computeSilhouette"] == "true" {
		return columns
	}
	return columns[:2]
}

// wholeCenters refuses centers that are not as many as clusters, or not as long as vectors.
func wholeCenters(args algorithms.Args) error {
	given, k, width := len(args.Lists["seedCentroids"]), args.Ints["k"], args.Ints["nodeProperty"]
	wrong := func(message string) error {
		return &algorithms.ParamError{Algorithm: "kmeans", Param: "seedCentroids", Message: message}
	}
	switch {
	case given == 0:
		return nil
	case int64(given) != k*width:
		return wrong(fmt.Sprintf("there are %d numbers; expected %d centers of %d each, as k and %s say", given, k, width,
			args.Strings["nodeProperty"]))
	case args.Ints["numberOfRestarts"] > 1:
		return wrong("every search would be the same: leave out it, or numberOfRestarts")
	}
	return nil
}

// verifyKMeans computes it again: a search that was stopped has no property of its own.
func verifyKMeans(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	return answer.AsOracle(kmeansOracle, kmeansColumnsFor(args, kmeansColumns())...)(g, args, result)
}

func mean(values []float64) float64 {
	return vector.Sum(values) / float64(max(len(values), 1))
}

// KMeansArrival is when a vertex comes by, in a race that draws a center: an exponential variable. Who comes first of
// all is drawn evenly; who comes first by arrival/weight, in proportion to weights (Efraimidis and Spirakis 2006).
// Arrivals follow from ids, so that the order of vertices does not matter.
func KMeansArrival(seed uint64, restart, center int, id int64) float64 {
	x := random.Mix(id, random.Mix(int64(center), random.Mix(int64(restart), seed)))
	return -math.Log((float64(x>>12) + 0.5) * 0x1p-52)
}

// kmeansOracle searches as the textbook has it.
func kmeansOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	vectors, err := argument.Vectors(g, args.Strings["nodeProperty"])
	if err != nil {
		return nil, err
	}
	var best *lloyd
	for r := range int(args.Ints["numberOfRestarts"]) {
		l := &lloyd{vectors: vectors, community: make([]int64, g.N()), distances: make([]float64, g.N())}
		l.draw(g, args, r)
		l.search(int(args.Ints["iterations"]), args.Floats["deltaThreshold"])
		if best == nil || mean(l.distances) < mean(best.distances) {
			best = l
		}
	}
	result := append(answer.Ints("community", algorithms.Int, best.community),
		answer.Floats("distanceFromCentroid", best.distances)...)
	if args.Strings["computeSilhouette"] == "true" {
		result = append(result, answer.Floats(silhouette, best.silhouettes())...)
	}
	return result, nil
}

// silhouettes are those of a search that has ended.
func (l *lloyd) silhouettes() []float64 {
	all := make([]float64, len(l.vectors))
	for v, x := range l.vectors {
		distances := map[int64][]float64{} // from the others of each community
		for u, y := range l.vectors {
			if u != v {
				distances[l.community[u]] = append(distances[l.community[u]], math.Sqrt(SquaredFrom(x, doubles(y))))
			}
		}
		own, nearest := l.community[v], math.Inf(1)
		for c, from := range distances {
			if c != own {
				nearest = min(nearest, mean(from))
			}
		}
		if a := mean(distances[own]); len(distances[own]) > 0 && !math.IsInf(nearest, 1) && max(a, nearest) > 0 {
			all[v] = (nearest - a) / max(a, nearest)
		}
	}
	return all
}

// lloyd is one search.
type lloyd struct {
	vectors   [][]float32
	centers   [][]float64
	community []int64
	distances []float64
}

// draw draws the first centers, each by a race of the vertices that are none yet.
func (l *lloyd) draw(g *algorithms.Graph, args algorithms.Args, restart int) {
	k := int(args.Ints["k"])
	if given := args.Lists["seedCentroids"]; len(given) > 0 && k <= g.N() {
		for center := range slices.Chunk(given, len(given)/k) {
			l.centers = append(l.centers, slices.Clone(center))
		}
		return
	}
	seed, drawn := uint64(args.Ints["seed"]), make([]bool, g.N())
	for c := range min(k, g.N()) {
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
