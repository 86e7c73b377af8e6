package communities

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// quality measures communities that are given. Each vertex adds up its lists, side by side with others; each community
// then adds up its vertices, in their order: there is one result for any number of threads. (Newman 2004; Yang and
// Leskovec 2012.)
type quality struct {
	procedures.Input
	measure
	given, community []int64
	value            []float64 // of the community of each vertex; before, what the vertex has across or within
	all              []float64 // of each vertex, the weight of its lists
	order            []uint32  // vertices, by communities
	unit             float64   // of weights
}

// measure is what is measured.
type measure struct {
	name    string
	within  bool // edges count that stay within a community; else those that lead out of it
	outward bool // lists are of edges that leave a vertex; else of all
	// of makes the value of a community of what its vertices have so, of the weight of all their lists, and of that of all
	// vertices.
	of func(counted, all, total float64) float64
}

func init() {
	registerQuality("modularity", func(args algorithms.Args) measure {
		resolution := args.Floats["resolution"]
		return measure{name: "modularity", within: true, of: func(within, all, total float64) float64 {
			if total == 0 {
				return 0
			}
			return within/total - resolution*(all/total)*(all/total)
		}}
	})
	registerQuality("conductance", func(algorithms.Args) measure {
		return measure{name: "conductance", outward: true, of: func(leaving, all, _ float64) float64 {
			if all == 0 {
				return 0
			}
			return leaving / all
		}}
	})
}

func registerQuality(name string, of func(algorithms.Args) measure) {
	procedures.Register(name, func(f procedures.Input) (procedures.Procedure, error) {
		given := algorithms.InputColumn("community")
		err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
			algorithms.Column{Name: given, Type: algorithms.Int},
			algorithms.Column{Name: "community", Type: algorithms.Int}, algorithms.Column{Name: name, Type: algorithms.Float})
		return &quality{Input: f, measure: of(f.Args), given: f.Columns[given].Ints,
			community: f.Columns["community"].Ints, value: f.Columns[name].Floats}, err
	})
}

// Scratch: the weight of each vertex, and its place in the order.
func (q *quality) Scratch() uint64 { return 12 * uint64(q.N) }

func (q *quality) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	most, err := procedures.LargestWeight(q.name, q.Columns["id"].Ints, chunks)
	if err != nil {
		return 0, err
	}
	q.unit = unit(most)
	if q.outward {
		chunks = slices.DeleteFunc(slices.Clone(chunks), func(c *csr.Chunk) bool { return !c.Out() })
	}
	q.all, q.order = make([]float64, q.N), make([]uint32, q.N)
	err = q.Groups(ctx, chunks, procedures.Progress{To: 0.9, Tell: tell}, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			q.order[v] = uint32(v)
			q.value[v], q.all[v] = q.lists(v, near)
		}
	})
	if err != nil {
		return 0, err
	}
	copy(q.community, q.given)
	q.communities()
	return csr.Entries(chunks), ctx.Err()
}

// unit is a power of two that makes weights of up to most 1 at the most: what parts of a sum are is the same, to the
// bit, and no sum overflows.
func unit(most float64) float64 {
	_, exponent := math.Frexp(most)
	return math.Ldexp(1, min(-exponent, 1000))
}

// lists adds up the weights of the edges of v: of those that count, and of all. A loop of an undirected graph, which
// has one entry, has two ends.
func (q *quality) lists(v int, near []*csr.Chunk) (counted, all float64) {
	for _, c := range near {
		from, to := c.EdgeRange(v)
		for edge := from; edge < to; edge++ {
			u, w := int(c.Cols.Base)+int(c.Neighbors[edge]), q.unit
			if len(c.Weights) > 0 {
				w *= c.Weights[0][edge]
			}
			if u == v && !q.Graph.Directed {
				w *= 2
			}
			if all += w; (q.given[u] == q.given[v]) == q.within {
				counted += w
			}
		}
	}
	return counted, all
}

// communities makes the value of each community, and gives it to its vertices.
func (q *quality) communities() {
	slices.SortFunc(q.order, func(v, u uint32) int {
		return cmp.Or(cmp.Compare(q.given[v], q.given[u]), cmp.Compare(v, u))
	})
	total := 0.0
	for _, w := range q.all {
		total += w
	}
	for from := 0; from < q.N; {
		counted, all, to := 0.0, 0.0, from
		for ; to < q.N && q.given[q.order[to]] == q.given[q.order[from]]; to++ {
			counted, all = counted+q.value[q.order[to]], all+q.all[q.order[to]]
		}
		for value := q.of(counted, all, total); from < to; from++ {
			q.value[q.order[from]] = value
		}
	}
}
