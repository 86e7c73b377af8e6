package planted

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/sourcetest"
)

func read(t *testing.T, o Options) *sourcetest.Graph {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	o.Allocator = mem
	src, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := sourcetest.Read(t, src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Ratings follow the law: their mean and deviation, and the noise that remains when the factors are known, within five
// deviations of what 100,000 draws give. No pair is there twice, users have the degrees that the power law says, and
// the same options give the same ratings.
func TestNew_Law(t *testing.T) {
	o := Options{Users: 2000, Items: 500, Ratings: 100_000, Seed: 7}
	g := read(t, o)
	if again := read(t, o); !reflect.DeepEqual(g, again) {
		t.Error("ratings are others when they are made again")
	}
	if len(g.Nodes) != 2500 || g.Nodes[0] != "User:1" || g.Nodes[2000] != "Item:1" || g.NodeValues[2499][0] != 500 {
		t.Errorf("%d nodes", len(g.Nodes))
	}
	number := map[string]int{}
	for i, id := range g.Nodes {
		number[id] = i
	}
	taste := newTaste(o)
	pairs, degrees := map[[2]int]bool{}, make([]int, 2500)
	var sum, squares, noise float64
	for _, e := range g.Edges {
		who, what, x := number[e.Src], number[e.Dst]-2000, e.Values[0]
		pairs[[2]int{who, what}] = true
		degrees[who]++
		degrees[what+2000]++
		sum, squares, noise = sum+x-Mean, squares+(x-Mean)*(x-Mean), noise+math.Pow(x-taste.of(who, what), 2)
	}
	n := float64(len(g.Edges))
	if math.Abs(sum/n) > 0.1 || math.Abs(squares/n-1.25) > 0.1 || math.Abs(noise/n-Noise*Noise) > 5*0.25*math.Sqrt(2/n) {
		t.Errorf("mean %g, mean square %g, of noise %g", sum/n, squares/n, noise/n)
	}
	if len(pairs) != 100_000 {
		t.Errorf("%d pairs", len(pairs))
	}
	users := slices.Sorted(slices.Values(degrees[:2000]))
	slices.Reverse(users)
	first := 0
	for _, d := range users[:250] {
		first += d
	}
	if math.Abs(float64(first)-25_000) > 5 || users[1999] < 30 {
		t.Errorf("the first eighth of users has %d ratings, the last user %d", first, users[1999])
	}
	items := slices.Sorted(slices.Values(degrees[2000:]))
	if items[499] < 4*items[0] {
		t.Errorf("items have %d to %d ratings", items[0], items[499])
	}
}

// Numbers of ends are those of nodes.
func TestNew_Numbers(t *testing.T) {
	src, err := New(Options{Users: 30, Items: 20, Ratings: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	if err := src.Nodes(t.Context(), func(b *formats.NodeBatch) error {
		for i := range b.ID.Len() {
			ids = append(ids, b.ID.Text(i))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := src.Edges(t.Context(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			if ids[b.SrcNumbers[i]] != b.Src.Text(i) || ids[b.DstNumbers[i]] != b.Dst.Text(i) {
				t.Fatalf("edge %d is between numbers %d and %d", i, b.SrcNumbers[i], b.DstNumbers[i])
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Where few users could rate all items, they rate half of them.
func TestNew_Full(t *testing.T) {
	for _, o := range []Options{{Users: 4, Items: 8, Ratings: 8}, {Users: 1, Items: 4, Ratings: 1},
		{Users: 7, Items: 3, Ratings: 3}} {
		if g := read(t, o); int64(len(g.Edges)) != o.Ratings {
			t.Errorf("%+v: %d ratings", o, len(g.Edges))
		}
	}
}

func TestNew_Refuses(t *testing.T) {
	good := Options{Users: 10, Items: 10, Ratings: 20}
	for name, change := range map[string]func(*Options){
		"number of users":   func(o *Options) { o.Users = 0 },
		"number of items":   func(o *Options) { o.Items = maxVertices + 1 },
		"number of ratings": func(o *Options) { o.Ratings = 26 },
	} {
		o := good
		change(&o)
		_, err := New(o)
		var option *OptionError
		if !errors.As(err, &option) || option.Option != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScramble(t *testing.T) {
	for n := 1; n < 200; n++ {
		seen := make([]bool, n)
		s := newScramble(n)
		for i := range n {
			seen[s.at(i)] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("%d is not permuted", n)
		}
	}
}
