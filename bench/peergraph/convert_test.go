package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// arc is one direction of an edge.
type arc struct{ from, to, weight uint32 }

func (a arc) compare(b arc) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight))
}

// TestConvert draws graphs, with loops and parallel edges, and finds each edge again in each direction.
func TestConvert(t *testing.T) {
	random := testseed.Rand(t)
	for _, symmetric := range []bool{false, true} {
		for _, weights := range []bool{false, true} {
			for vertices := range uint32(20) {
				edges := draw(random, vertices)
				got, want := readBack(t, converted(t, edges, vertices, symmetric, weights), vertices, weights),
					arcs(edges, symmetric, weights)
				slices.SortFunc(got, arc.compare)
				slices.SortFunc(want, arc.compare)
				if !slices.Equal(got, want) {
					t.Fatalf("%d vertices, edges %v, symmetric %v, weights %v: got %v", vertices, edges, symmetric,
						weights, got)
				}
			}
		}
	}
}

func draw(random *rand.Rand, vertices uint32) []arc {
	var edges []arc
	for range 3 * vertices {
		edges = append(edges, arc{random.Uint32N(vertices), random.Uint32N(vertices), 1 + random.Uint32N(255)})
	}
	return edges
}

// arcs are what is to be found in the file.
func arcs(edges []arc, symmetric, weights bool) []arc {
	var all []arc
	for _, e := range edges {
		if !weights {
			e.weight = 0
		}
		all = append(all, e)
		if symmetric && e.from != e.to {
			all = append(all, arc{e.to, e.from, e.weight})
		}
	}
	return all
}

func converted(t *testing.T, edges []arc, vertices uint32, symmetric, weights bool) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "graph.bcsr")
	if weights {
		to = filepath.Join(t.TempDir(), "graph.bwcsr")
	}
	if err := convert(written(t, marketText(edges, vertices, symmetric)), to); err != nil {
		t.Fatal(err)
	}
	return to
}

func marketText(edges []arc, vertices uint32, symmetric bool) string {
	var text strings.Builder
	kind := map[bool]string{false: "general", true: "symmetric"}[symmetric]
	_, _ = fmt.Fprintf(&text, "%%%%MatrixMarket matrix coordinate real %s\n%% a comment\n%d %d %d\n", kind, vertices,
		vertices, len(edges))
	for _, e := range edges {
		_, _ = fmt.Fprintf(&text, "%d %d %d\n", e.from+1, e.to+1, e.weight)
	}
	return text.String()
}

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readBack reads a file as Subway's Graph::ReadGraph does.
func readBack(t *testing.T, path string, vertices uint32, weights bool) []arc {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]uint32, len(bytes)/4)
	if _, err := binary.Decode(bytes, binary.LittleEndian, words); err != nil {
		t.Fatal(err)
	}
	n, m := words[0], words[1]
	offsets, entries := append(slices.Clone(words[2:2+n]), m), words[2+n:]
	if width := 1 + uint32(len(entries)-1)/max(1, m); n != vertices+spare || m > 0 && (width == 2) != weights {
		t.Fatalf("%s is of %d vertices and %d entries in %d words", path, n, m, len(entries))
	}
	var all []arc
	for v := range n {
		for i := offsets[v]; i < offsets[v+1]; i++ {
			if weights {
				all = append(all, arc{v, entries[2*i], entries[2*i+1]})
			} else {
				all = append(all, arc{v, entries[i], 0})
			}
		}
	}
	return all
}

func TestConvert_says_what_is_wrong(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, c := range []struct{ text, want string }{
		{"1 2\n", "no Matrix Market file"},
		{head, "has no sizes"},
		{head + "2 3 1\n1 1 1\n", "square"},
		{head + "2 2 2\n1 1 1\n", ":4: the file ends"},
		{head + "2 2 1\n1 3 1\n", `:3: "1 3 1" is no edge between vertices of 1 to 2`},
		{head + "2 2 1\n0 1 1\n", "is no edge"},
		{head + "2 2 1\n1 2 0.5\n", "whole number"},
	} {
		err := convert(written(t, c.text), filepath.Join(t.TempDir(), "graph.bwcsr"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %q", c.text, err, c.want)
		}
	}
}
