package embedding

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/random"
)

// Node2Vec embeds vertices: those that random walks meet near each other get vectors of similar direction. Walks are
// those of random-walk from every vertex. Of each, a vertex is kept with probability (√(f/s) + 1)·s/f, where f is its
// share of all that walks meet, and s the positiveSamplingFactor. Of what is left of a walk, each vertex v makes a pair
// with those that are up to b before or after it, b drawn from 1 … windowSize. For pairs (v, c), one after the other,
// the embedding x(v), and a vector y that each vertex has besides, go a step of the learning rate up the slope of
//
//	ln σ(x(v)·y(c)) + Σ ln σ(-x(v)·y(n));   σ(z) = 1/(1 + exp(-z))
//
// The n, negativeSamplingRate of them, are drawn in proportion to count(n)^negativeSamplingExponent, count(n) being how
// often walks meet n; where n = c, the term is left out. The learning rate falls evenly from initialLearningRate to
// minLearningRate. x begins as numbers drawn evenly from [-a, a], a = 1/2 by the dimension (normalized) or 1 (uniform);
// y begins as 0.
//
// EmbeddingGroup pairs share their negatives, and go a step together (Ji, Satish, Li, Dubey, "Parallelizing word2vec in
// shared and distributed memory", 2016). Pairs are taken an episode of walks at a time, ordered by the parts of their
// vertices, so that no two workers ever have a vector in common; the negatives of a pair are of the part of c (Zhu, Xu,
// Tang, Qu, "GraphVite", WWW 2019). All draws depend on seed and ids, and so does the order of pairs: results do not
// depend on the number of threads. Grover and Leskovec, "node2vec: scalable feature learning for networks", KDD 2016;
// Mikolov, Sutskever, Chen, Corrado, Dean, "Distributed representations of words and phrases", NIPS 2013; parameters and
// defaults as in Neo4j GDS.
var Node2Vec = &algorithms.Algorithm{
	Name:    "node2vec",
	Summary: "embeddings of vertices by random walks",
	Source:  "Grover and Leskovec 2016",
	Params: append([]algorithms.Param{
		{Name: fastRPWidth, Type: algorithms.ParamInt, Default: "128", Min: 1, Max: algorithms.MaxWidth,
			Doc: "numbers of an embedding"},
		{Name: "windowSize", Type: algorithms.ParamInt, Default: "10", Min: 1, Max: 256,
			Doc: "how far from each other the vertices of a pair are on a walk, at most"},
		{Name: "negativeSamplingRate", Type: algorithms.ParamInt, Default: "5", Min: 1, Max: 256,
			Doc: "negative examples of a pair"},
		{Name: "negativeSamplingExponent", Type: algorithms.ParamFloat, Default: "0.75", Min: -8, Max: 8,
			Doc: "power of how often walks meet a vertex that its chance as a negative example is in proportion to"},
		{Name: "positiveSamplingFactor", Type: algorithms.ParamFloat, Default: "0.001", Min: 0, Max: 1,
			Doc: "share of all that walks meet above which a vertex is seldom kept; 0: all are"},
		{Name: "iterations", Type: algorithms.ParamInt, Default: "1", Min: 1, Max: 10_000,
			Doc: "how often walks are learned from"},
		{Name: "initialLearningRate", Type: algorithms.ParamFloat, Default: "0.01", Min: 0, Max: 10,
			Doc: "of the first walk"},
		{Name: "minLearningRate", Type: algorithms.ParamFloat, Default: "0.0001", Min: 0, Max: 10, Doc: "of the last walk"},
		{Name: "embeddingInitializer", Type: algorithms.ParamChoice, Choices: []string{"normalized", "uniform"},
			Default: "normalized",
			Doc:     "what embeddings begin as: numbers from [-a, a], with a = 1/2 by the dimension, or 1"},
	}, walkParams()...),
	Result:      fastRPColumns(algorithms.Args{}),
	Procedure:   &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Approximate: true,
	Oracle:      node2VecOracle,
	Verify:      verifyNode2Vec,
}

// Group is how many pairs go a step together.
const Group = 16

// Embedding is how pairs of vertices are drawn, and what they teach.
type Embedding struct {
	args     algorithms.Args
	Vertices int
	Parts    int // into which vertices are divided
	Walks    int // of an episode, but the last
	episodes int // of an iteration
}

const (
	embeddingParts = 16      // a power of 2
	dividedFrom    = 1 << 10 // vertices: fewer are one part
	episodePairs   = 1 << 21
)

// NewEmbedding is that of arguments, for so many vertices.
func NewEmbedding(args algorithms.Args, vertices int) Embedding {
	e := Embedding{args: args, Vertices: vertices, Parts: 1}
	if vertices >= dividedFrom {
		e.Parts = embeddingParts
	}
	all := vertices * int(args.Ints[walksPerNode])
	e.Walks = max(1, min(all, episodePairs/max(1, e.WalkPairs())))
	e.episodes = (all + e.Walks - 1) / e.Walks
	return e
}

// WalkPairs bounds the pairs of a walk.
func (e Embedding) WalkPairs() int {
	length := int(e.args.Ints[walkLength])
	return length * min(2*int(e.args.Ints["windowSize"]), length-1)
}

// Episodes is how many there are in all iterations.
func (e Embedding) Episodes() int { return e.episodes * int(e.args.Ints["iterations"]) }

// Episode is which iteration the episode belongs to, and which of all walks it takes.
func (e Embedding) Episode(number int) (iteration, from, to int) {
	from = number % e.episodes * e.Walks
	return number / e.episodes, from, min(from+e.Walks, e.Vertices*int(e.args.Ints[walksPerNode]))
}

// Begin is where a walk begins, and which of the walks from there it is: neighbors in the order of ids come far from
// each other.
func (e Embedding) Begin(walk int) (vertex, number int) {
	return int(uint64(walk%e.Vertices) * stride(uint64(e.Vertices)) % uint64(e.Vertices)), walk / e.Vertices
}

// stride is about the golden section of n, and has no divisor with it in common.
func stride(n uint64) uint64 {
	s := max(1, uint64(float64(n)*0.6180339887498949))
	for divisor(n, s) != 1 {
		s++
	}
	return s
}

func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Part is that of a vertex.
func (e Embedding) Part(vertex uint32) int {
	if e.Parts == 1 {
		return 0
	}
	return int(random.Mix(int64(vertex), 1) % embeddingParts)
}

// Keep is with what probability a vertex is kept that is met so often, of so many times.
func (e Embedding) Keep(count, all uint64) float64 {
	s := e.args.Floats["positiveSamplingFactor"]
	if s == 0 {
		return 1
	}
	f := float64(count) / float64(all)
	return (math.Sqrt(f/s) + 1) * s / f
}

// Chance is what that of a vertex as a negative example is in proportion to, when it is met so often.
func (e Embedding) Chance(count uint64) float64 {
	if count == 0 {
		return 0
	}
	return math.Pow(float64(count), e.args.Floats["negativeSamplingExponent"])
}

// Windows are the draws of a walk from a vertex that say what of it is kept, and then how far each window reaches.
func (e Embedding) Windows(id int64, number, iteration int) random.Draws {
	return random.New(e.args.Ints["seed"], id, int64(number), int64(iteration))
}

// Negatives are the draws of the negative examples of a block of an episode: pairs of a vertex of one part with one of
// another.
func (e Embedding) Negatives(episode, from, to int) random.Draws {
	return random.New(e.args.Ints["seed"], int64(episode), int64(from), int64(to), 1)
}

// Initial draws the embedding that a vertex begins with.
func (e Embedding) Initial(id int64, vector []float32) {
	draws, reach := random.New(e.args.Ints["seed"], id), 1.0
	if e.args.Strings["embeddingInitializer"] == "normalized" {
		reach = 0.5 / float64(len(vector))
	}
	for k := range vector {
		vector[k] = float32((2*draws.Share() - 1) * reach)
	}
}

// Rate is the learning rate of an episode's pairs when that part of all its blocks is done.
func (e Embedding) Rate(episode int, part float64) float64 {
	first, last := e.args.Floats["initialLearningRate"], e.args.Floats["minLearningRate"]
	return first + (min(first, last)-first)*(float64(episode)+part)/float64(e.Episodes())
}

// Pair is a vertex, and one that walks meet near it.
type Pair struct{ Vertex, Context uint32 }

// embedder is the oracle at work: it has all walks, and numbers of twice the precision.
type embedder struct {
	Embedding
	paths  *footpaths
	walks  [][]uint32
	counts []uint64 // how often walks meet each vertex
	met    uint64
	parts  []chances
	x, y   [][]float64
}

// chances are those of the vertices of a part as negative examples, added up.
type chances struct {
	vertices []uint32
	sums     []float64
}

func newEmbedder(g *algorithms.Graph, args algorithms.Args) (*embedder, error) {
	paths, err := newFootpaths(g, args)
	if err != nil {
		return nil, err
	}
	e := &embedder{Embedding: NewEmbedding(args, g.N()), paths: paths, counts: make([]uint64, g.N())}
	for walk := range g.N() * int(args.Ints[walksPerNode]) {
		var met []uint32
		if v, number := e.Begin(walk); paths.begins(v) {
			met = paths.walk(v, number)
		}
		for _, v := range met {
			e.counts[v]++
			e.met++
		}
		e.walks = append(e.walks, met)
	}
	e.parts = make([]chances, e.Parts)
	for v, count := range e.counts {
		c, sum := &e.parts[e.Part(uint32(v))], e.Chance(count)
		if len(c.sums) > 0 {
			sum += c.sums[len(c.sums)-1]
		}
		c.vertices, c.sums = append(c.vertices, uint32(v)), append(c.sums, sum)
	}
	for _, id := range paths.ids {
		single := make([]float32, args.Ints[fastRPWidth])
		e.Initial(id, single)
		vector := make([]float64, len(single))
		for k, x := range single {
			vector[k] = float64(x)
		}
		e.x, e.y = append(e.x, vector), append(e.y, make([]float64, len(single)))
	}
	return e, nil
}

// pairs are those of a walk.
func (e *embedder) pairs(walk, iteration int) (pairs []Pair) {
	v, number := e.Begin(walk)
	draws := e.Windows(e.paths.ids[v], number, iteration)
	kept := slices.DeleteFunc(slices.Clone(e.walks[walk]), func(v uint32) bool {
		return draws.Share() >= e.Keep(e.counts[v], e.met)
	})
	for i, v := range kept {
		reach := 1 + draws.Below(int(e.args.Ints["windowSize"]))
		for j := max(0, i-reach); j <= min(i+reach, len(kept)-1); j++ {
			if j != i {
				pairs = append(pairs, Pair{v, kept[j]})
			}
		}
	}
	return pairs
}

// negative draws a vertex of a part.
func (e *embedder) negative(draws *random.Draws, part int) uint32 {
	c := e.parts[part]
	share := draws.Share() * c.sums[len(c.sums)-1]
	return c.vertices[min(sort.Search(len(c.sums), func(i int) bool { return c.sums[i] > share }), len(c.sums)-1)]
}

// episode learns from some walks, block by block.
func (e *embedder) episode(number int) {
	iteration, from, to := e.Episode(number)
	blocks := map[[2]int][]Pair{}
	for walk := from; walk < to; walk++ {
		for _, pair := range e.pairs(walk, iteration) {
			block := [2]int{e.Part(pair.Vertex), e.Part(pair.Context)}
			blocks[block] = append(blocks[block], pair)
		}
	}
	for step := range e.Parts {
		for part := range e.Parts {
			block := [2]int{part, (part + step) % e.Parts}
			pairs, draws := blocks[block], e.Negatives(number, block[0], block[1])
			for i := 0; i < len(pairs); i += Group {
				done := float64(i) / float64(len(pairs))
				negatives := make([]uint32, e.args.Ints["negativeSamplingRate"])
				for k := range negatives {
					negatives[k] = e.negative(&draws, block[1])
				}
				e.step(pairs[i:min(i+Group, len(pairs))], negatives,
					e.Rate(number, (float64(step)+done)/float64(e.Parts)))
			}
		}
	}
}

// step goes up the slope of the terms of a group of pairs.
func (e *embedder) step(pairs []Pair, negatives []uint32, rate float64) {
	type slope struct {
		of     []float64
		by     float64
		vector []float64
	}
	var slopes []slope
	term := func(x, y []float64, wanted float64) {
		product := 0.0
		for k := range x {
			product += x[k] * y[k]
		}
		by := rate * (wanted - 1/(1+math.Exp(-product)))
		slopes = append(slopes, slope{x, by, slices.Clone(y)}, slope{y, by, slices.Clone(x)})
	}
	for _, pair := range pairs {
		term(e.x[pair.Vertex], e.y[pair.Context], 1)
		for _, n := range negatives {
			if n != pair.Context {
				term(e.x[pair.Vertex], e.y[n], 0)
			}
		}
	}
	for _, s := range slopes {
		for k := range s.of {
			s.of[k] += s.by * s.vector[k]
		}
	}
}

func node2VecOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	result := algorithms.NewValues(fastRPColumns(args)[0], g.N())
	if g.N() == 0 {
		return []algorithms.Values{result}, nil
	}
	e, err := newEmbedder(g, args)
	if err != nil {
		return nil, err
	}
	for number := range e.Episodes() {
		e.episode(number)
	}
	for v, place := range e.paths.places {
		if err := Learned(g.IDs[place], e.x[v]); err != nil {
			return nil, err
		}
		copy(result.Floats[place*result.Per():], e.x[v])
	}
	return []algorithms.Values{result}, nil
}

// Learned fails for an embedding whose numbers have grown beyond every bound.
func Learned(id int64, vector []float64) error {
	for _, x := range vector {
		if x-x != 0 {
			return fmt.Errorf("the embedding of vertex %d has grown beyond every bound: give a smaller initialLearningRate", id)
		}
	}
	return nil
}

// verifyNode2Vec compares with the oracle, which computes in doubles.
func verifyNode2Vec(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, fastRPColumns(args)...); err != nil {
		return err
	}
	want, err := node2VecOracle(g, args)
	if err != nil {
		return err
	}
	for i, x := range result[0].Floats {
		if y := want[0].Floats[i]; !(math.Abs(x-y) <= 1e-4*(1+math.Abs(y))) {
			return answer.WrongAt(g, i/want[0].Per(), "number %d of its embedding is %v, not %v", i%want[0].Per(), x, y)
		}
	}
	return nil
}
