package shortestpaths

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// compass tells how far it is at least from one vertex to another: as far as their places are, as the crow flies, by
// the weight that any edge has at least for a distance. By the triangle inequality, no way is shorter.
type compass struct {
	places [][]float64 // of each vertex, along each axis
	scale  float64
}

// sphereBytes is what a compass takes of each vertex, where it has to make places of latitudes and longitudes.
const sphereBytes = 3 * 8

// coordinates are those that arguments name, or nil.
func coordinates(f procedures.Input, name string) []float64 {
	if f.Args.Strings[name] == "" {
		return nil
	}
	return f.Columns[algorithms.InputColumn(name)].Floats
}

// coordinated tells whether there is any coordinate of the kinds.
func coordinated(f procedures.Input, names ...string) bool {
	for _, name := range names {
		if f.Args.Strings[name] != "" {
			return true
		}
	}
	return false
}

// newCompass has the places of vertices, and looks at all edges. Places on the sphere are those in space: a chord is
// shorter than its arc, by a thousandth where that is of a thousand kilometers, and takes no trigonometry.
func newCompass(ctx context.Context, f procedures.Input, chunks []*csr.Chunk) (*compass, error) {
	c := &compass{}
	for _, name := range []string{"latitude", "longitude", "x", "y"} {
		for v, at := range coordinates(f, name) {
			if at-at != 0 {
				return nil, plugins.Errorf(plugins.KindInvalid, "the %s of vertex %d is %v: expected a finite number", name,
					f.Columns["id"].Ints[v], at)
			}
		}
	}
	if coordinated(f, "latitude", "longitude") {
		c.places = sphere(f.N, coordinates(f, "latitude"), coordinates(f, "longitude"))
	}
	for _, name := range []string{"x", "y"} {
		if axis := coordinates(f, name); axis != nil {
			c.places = append(c.places, axis)
		}
	}
	return c, c.measure(ctx, f, chunks)
}

// measure finds the scale.
func (c *compass) measure(ctx context.Context, f procedures.Input, chunks []*csr.Chunk) error {
	least := make([]float64, f.Pool.Threads)
	for i := range least {
		least[i] = math.Inf(1)
	}
	out := make([]*csr.Chunk, 0, len(chunks))
	for _, r := range chunks {
		if r.Out() {
			out = append(out, r)
		}
	}
	silent := procedures.Progress{From: 1, To: 1}
	err := f.Groups(ctx, out, silent, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			for _, r := range near {
				least[worker] = min(least[worker], c.pace(r, v))
			}
		}
	})
	c.scale = math.Inf(1)
	for _, pace := range least {
		c.scale = min(c.scale, pace)
	}
	if math.IsInf(c.scale, 1) { // no edge leads anywhere
		c.scale = 0
	}
	c.scale *= 1 - rounding
	return err
}

// sphere has places on the unit sphere.
func sphere(n int, latitudes, longitudes []float64) [][]float64 {
	places := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	angle := func(degrees []float64, v int) (sin, cos float64) {
		if degrees == nil {
			return 0, 1
		}
		return math.Sincos(degrees[v] * (math.Pi / 180))
	}
	for v := range n {
		north, level := angle(latitudes, v)
		east, front := angle(longitudes, v)
		places[0][v], places[1][v], places[2][v] = level*front, level*east, north
	}
	return places
}

// pace is the least weight of an edge that a chunk has of v, by how far it leads.
func (c *compass) pace(r *csr.Chunk, v int) float64 {
	least := math.Inf(1)
	from, to := r.EdgeRange(v)
	for at := from; at < to; at++ {
		weight := 1.0
		if len(r.Weights) > 0 {
			weight = r.Weights[0][at]
		}
		if far := c.distance(v, int(r.Cols.Base)+int(r.Neighbors[at])); far > 0 {
			least = min(least, weight/far)
		}
	}
	return least
}

// distance is how far it is as the crow flies.
func (c *compass) distance(v, u int) float64 {
	sum := 0.0
	for _, axis := range c.places {
		d := axis[v] - axis[u]
		sum += d * d
	}
	return math.Sqrt(sum)
}

// to is how far it is at least to a target.
func (c *compass) to(target uint32) func(v uint32) float64 {
	return func(v uint32) float64 { return c.scale * c.distance(int(v), int(target)) }
}
