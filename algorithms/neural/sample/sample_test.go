package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// listed are lists in memory, with a property that tells which entry it is.
type listed [][]uint32

func (l listed) Degree(v uint32) int { return len(l[v]) }

func (l listed) Read(v uint32, places []int, others []uint32, properties [][]float64, at int) error {
	for i := range others {
		place := i
		if places != nil {
			place = places[i]
		}
		others[i] = l[v][place]
		for k := range properties {
			properties[k][at+i] = float64(v)*1000 + float64(place)
		}
	}
	return nil
}

// random are lists of n vertices; with loops each begins with the vertex.
func random(r *rand.Rand, n int, loops bool) listed {
	l := make(listed, n)
	for v := range l {
		for range r.IntN(9) * r.IntN(4) {
			l[v] = append(l[v], uint32(r.IntN(n)))
		}
		if slices.Sort(l[v]); loops {
			l[v] = slices.DeleteFunc(l[v], func(u uint32) bool { return u == uint32(v) })
			l[v] = append([]uint32{uint32(v)}, l[v]...)
		}
	}
	return l
}

// Another seed, epoch, hop or vertex draws others.
func TestKey_OfAll(t *testing.T) {
	keys := map[uint64]bool{}
	for i := range 10_000 {
		keys[Key(uint64(i%10), i/10%10, i/100%10, uint32(i/1000))] = true
	}
	if len(keys) != 10_000 {
		t.Errorf("%d keys of 10000", len(keys))
	}
}

// Every neighbor is kept as often as any other, and every pair: chi-square over what many vertices keep of lists that
// are equally long. A generator that is a little off, or places that come in pairs, would show.
func TestPlaces_Unbiased(t *testing.T) {
	seed := testseed.New(t)
	const n, count, draws = 12, 4, 60_000
	singles, pairs := make([]float64, n), make([]float64, n*n)
	for v := range uint32(draws) {
		places := Places(nil, Key(seed, int(v%7), int(v%3), v), n, count)
		if len(places) != count || !slices.IsSorted(places) || len(slices.Compact(slices.Clone(places))) != count {
			t.Fatalf("vertex %d keeps places %v", v, places)
		}
		for i, a := range places {
			singles[a]++
			for _, b := range places[i+1:] {
				pairs[a*n+b]++
			}
		}
	}
	square := func(counts []float64, expected float64) (sum float64) {
		for _, c := range counts {
			if c > 0 {
				sum += (c - expected) * (c - expected) / expected
			}
		}
		return sum
	}
	// Beyond mean + 6 deviations of the distribution: less than once in a million runs. Without replacement the sums are
	// smaller than those of independent draws, by (n-count)/(n-1).
	for what, c := range map[string][3]float64{
		"neighbors": {square(singles, draws*count/float64(n)) * (n - 1) / (n - count), n - 1, n},
		"pairs": {square(pairs, draws*count*(count-1)/float64(n*(n-1))), n*(n-1)/2 - 1,
			n * (n - 1) / 2},
	} {
		if limit := c[1] + 6*math.Sqrt(2*c[1]); c[0] > limit {
			t.Errorf("chi-square of %s is %.1f, above %.1f", what, c[0], limit)
		}
	}
	met := 0
	for _, p := range pairs {
		if p > 0 {
			met++
		}
	}
	if met != n*(n-1)/2 {
		t.Errorf("%d pairs are kept of %d", met, n*(n-1)/2)
	}
}

// A sampled graph is what its definition says, by another way: recursion over hops with sets.
func TestSampler_AsDefined(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		loops := r.IntN(2) == 0
		l := random(r, 1+r.IntN(60), loops)
		s := Sampler{Lists: l, Loops: loops, Properties: r.IntN(3), Seed: r.Uint64(), Threads: 1 + r.IntN(4)}
		for range r.IntN(4) {
			s.Fanouts = append(s.Fanouts, []int{1, 2, 5, All}[r.IntN(4)])
		}
		s.NewRows(uint64(len(l)))
		var seeds []uint32
		for _, v := range r.Perm(len(l))[:1+r.IntN(len(l))] {
			seeds = append(seeds, uint32(v))
		}
		epoch := r.IntN(9)
		var g Graph
		for range 2 { // in memory that has been used as well
			if err := s.Cut(t.Context(), epoch, seeds, &g); err != nil {
				t.Fatal(err)
			}
			if err := asDefined(s, l, epoch, seeds, &g); err != nil {
				t.Fatal(err)
			}
		}
		most := NewMost(degreesOf(l), loops)
		if v, e := most.Of(len(seeds)+r.IntN(9), s.Fanouts); len(g.Vertices) > int(v) || g.Edges() > int(e) {
			t.Fatalf("%d vertices and %d edges, where there are at most %d and %d", len(g.Vertices), g.Edges(), v, e)
		}
	}
}

func degreesOf(l listed) (degrees []int64) {
	for _, list := range l {
		degrees = append(degrees, int64(len(list)))
	}
	return degrees
}

// asDefined holds a graph to the definition.
func asDefined(s Sampler, l listed, epoch int, seeds []uint32, g *Graph) error {
	if !slices.Equal(g.Vertices[:g.Seeds], seeds) {
		return fmt.Errorf("the first rows are %v, not the seeds %v", g.Vertices[:g.Seeds], seeds)
	}
	met, frontier := map[uint32]bool{}, seeds
	for _, v := range seeds {
		met[v] = true
	}
	row := 0
	for hop := 0; hop <= len(s.Fanouts); hop++ {
		var next []uint32
		for _, v := range frontier {
			var places []int
			if hop < len(s.Fanouts) {
				places = placesOf(s, len(l[v]), epoch, hop, v)
			}
			from, to := g.Offsets[row], g.Offsets[row+1]
			if g.Vertices[row] != v || int(to-from) != len(places) || g.Degrees[row] != float32(len(l[v])) {
				return fmt.Errorf("row %d is vertex %d with %d of %v edges, not vertex %d with %d of %d", row, g.Vertices[row],
					to-from, g.Degrees[row], v, len(places), len(l[v]))
			}
			stands := float32(1)
			if len(places) > 0 {
				stands = float32(len(l[v])) / float32(len(places))
			}
			if g.PerSample[row] != stands {
				return fmt.Errorf("an edge to vertex %d stands for %v, not for %v", v, g.PerSample[row], stands)
			}
			for i, place := range places {
				u := l[v][place]
				if e := from + int64(i); g.Vertices[g.Others[e]] != u ||
					s.Properties > 0 && g.Properties[0][e] != float64(v)*1000+float64(place) {
					return fmt.Errorf("edge %d to vertex %d is from %d, not from %d", i, v, g.Vertices[g.Others[e]], u)
				}
				if !met[u] {
					met[u] = true
					next = append(next, u)
				}
			}
			row++
		}
		frontier = next
	}
	if row != len(g.Vertices) || len(g.Offsets) != row+1 {
		return fmt.Errorf("%d rows, not %d", len(g.Vertices), row)
	}
	return nil
}

// placesOf are the places that a list keeps.
func placesOf(s Sampler, degree, epoch, hop int, v uint32) (places []int) {
	fixed := 0
	if s.Loops {
		fixed, places = 1, []int{0}
	}
	if others := degree - fixed; others <= s.Fanouts[hop] {
		for i := range others {
			places = append(places, fixed+i)
		}
	} else {
		for _, p := range Places(nil, Key(s.Seed, epoch, hop, v), others, s.Fanouts[hop]) {
			places = append(places, fixed+p)
		}
	}
	return places
}

// The edges by the rows that they come from are the same edges.
func TestGraph_Reverse(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		l := random(r, 1+r.IntN(40), false)
		s := Sampler{Lists: l, Fanouts: Fanouts{3, All}, Properties: 1, Seed: r.Uint64(), Threads: 1}
		s.NewRows(uint64(len(l)))
		var g Graph
		if err := s.Cut(t.Context(), 1, []uint32{uint32(r.IntN(len(l)))}, &g); err != nil {
			t.Fatal(err)
		}
		offsets, others := make([]int64, len(g.Offsets)), make([]uint32, g.Edges())
		properties := [][]float64{make([]float64, g.Edges())}
		g.Reverse(offsets, others, properties)
		type edge struct {
			from, to uint32
			x        float64
		}
		var forward, backward []edge
		for v := range g.Vertices {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				forward = append(forward, edge{g.Others[e], uint32(v), g.Properties[0][e]})
			}
			for e := offsets[v]; e < offsets[v+1]; e++ {
				backward = append(backward, edge{uint32(v), others[e], properties[0][e]})
			}
		}
		compare := func(a, b edge) int { return int(a.x - b.x) }
		slices.SortFunc(forward, compare)
		slices.SortFunc(backward, compare)
		if !slices.Equal(forward, backward) {
			t.Fatalf("%v is not %v", backward, forward)
		}
	}
}

func TestParseFanouts(t *testing.T) {
	for text, want := range map[string]Fanouts{"10,5": {10, 5}, " 3 , ALL": {3, All}, "1": {1}} {
		got, err := ParseFanouts(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
		again, err := ParseFanouts(got.String())
		if err != nil || !slices.Equal(got, again) {
			t.Errorf("%q comes back as %v, %v", text, again, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "10,", "ten", "5,0", "1.5", "99999999999999999999"} {
		if got, err := ParseFanouts(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	if js, err := (Fanouts{10, All}).MarshalJSON(); err != nil || string(js) != `[10,"all"]` {
		t.Errorf("%s, %v", js, err)
	}
}

// FuzzParseFanouts: what is read comes back.
func FuzzParseFanouts(f *testing.F) {
	f.Add("10,5")
	f.Add("all")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := ParseFanouts(text); err == nil {
			if again, err := ParseFanouts(got.String()); err != nil || !slices.Equal(got, again) {
				t.Errorf("%q: %v comes back as %v, %v", text, got, again, err)
			}
		}
	})
}
