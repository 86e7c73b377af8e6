package instance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// mixed is a graph of labels A, B and none and types R and S, as CSV files, and its part of nodes A and relationships
// R. Ids are integers, or texts.
func mixed(r *rand.Rand, texts bool) (nodes, edges, part []string) {
	id := func(v int) string {
		if texts {
			return "v" + strconv.Itoa(v)
		}
		return strconv.Itoa(v)
	}
	const n = 40
	labels := make([]string, n)
	nodes, edges = []string{"id:ID,:LABEL"}, []string{":START_ID,:END_ID,:TYPE,weight:double"}
	for v := range n {
		labels[v] = []string{"A", "B", "A;B", ""}[r.IntN(4)]
		nodes = append(nodes, id(v)+","+labels[v])
	}
	for range 300 {
		from, to, typ, weight := r.IntN(n), r.IntN(n), []string{"R", "S"}[r.IntN(2)], r.IntN(9)+1
		edges = append(edges, fmt.Sprintf("%s,%s,%s,%d", id(from), id(to), typ, weight))
		if strings.Contains(labels[from], "A") && strings.Contains(labels[to], "A") && typ == "R" {
			part = append(part, fmt.Sprintf("%s %s %d", id(from), id(to), weight))
		}
	}
	return nodes, edges, part
}

// Algorithms give out of a part what they give out of a graph that is just that: values, vertices, pairs and paths; and
// both stay when they are written beside each other.
func TestSubject_IsTheGraphOfThePart(t *testing.T) {
	seed := testseed.New(t)
	for i, texts := range []bool{false, true} {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		nodes, edges, part := mixed(r, texts)
		dir := t.TempDir()
		file := func(name string, lines []string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}
		db, err := Open(filepath.Join(dir, "db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for graph, load := range map[string]struct {
			files   []string
			options LoadOptions
		}{
			"whole": {[]string{file("nodes.csv", nodes), file("edges.csv", edges)}, LoadOptions{}},
			"part":  {[]string{file("part.txt", part)}, LoadOptions{Weight: "weight"}},
		} {
			if _, err := db.Load(t.Context(), graph, load.files, load.options); err != nil {
				t.Fatal(err)
			}
		}
		of := store.Projection{Labels: []string{"A"}, Types: []string{"R"}}
		source := strings.Fields(part[0])[0]
		for _, request := range []host.Request{
			{Algorithm: "bfs", Params: map[string]string{"source": source}},
			{Algorithm: "sssp", Params: map[string]string{"source": source}},
			{Algorithm: "triangles"}, {Algorithm: "k-core"},
			// All pairs: which of equal ones are the best goes by the order of loading, which is another.
			{Algorithm: "node-similarity", Params: map[string]string{"topK": "40"}},
			{Algorithm: "random-walk", Params: map[string]string{"walkLength": "1", "walksPerNode": "1"}},
		} {
			want := shown(t, db, "part", store.Projection{}, request)
			// A vertex without an edge is in the part, but not in the graph of its edges.
			got := slices.DeleteFunc(shown(t, db, "whole", of, request), func(line string) bool {
				return !slices.ContainsFunc(want, func(w string) bool {
					return strings.Fields(w)[0] == strings.Fields(line)[0]
				})
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s of the part: %v; want %v", request.Algorithm, got, want)
			}
		}
	}
}

// shown is a result as users see it, sorted.
func shown(t *testing.T, db *DB, graph string, of store.Projection, request host.Request) []string {
	t.Helper()
	result, err := db.On(graph, of).Run(t.Context(), request, host.Events{})
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	file := filepath.Join(t.TempDir(), "out.csv")
	if err := result.WriteFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), ",", " "), "\n"), "\n")[1:]
	slices.Sort(lines)
	return lines
}

// A part is stored once for runs one after the other, and anew once the graph has changed; it goes with the graph.
func TestSubject_Kept(t *testing.T) {
	db := loaded(t, "1 2\n2 3\n")
	of := store.Projection{Orientation: "reverse"}
	stored := func() uint64 {
		t.Helper()
		s, err := db.On("g", of).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return s.Manifest().ID
	}
	first := stored()
	if again := stored(); again != first {
		t.Errorf("the part was stored again, as %d, after %d", again, first)
	}
	result, err := db.On("g", of).Run(t.Context(), host.Request{Algorithm: "degree"}, host.Events{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := result.Write(t.Context(), "degree"); err != nil {
		t.Fatal(err)
	}
	result.Close()
	if later := stored(); later == first {
		t.Errorf("the part is still %d after the graph has changed", first)
	}
	if len(db.parts.kept) != 1 {
		t.Errorf("%d parts are kept; want that of the current snapshot", len(db.parts.kept))
	}
	if err := db.Drop(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if len(db.parts.kept) != 0 {
		t.Errorf("%d parts of a graph that was dropped", len(db.parts.kept))
	}
}

// Parts that are kept end by themselves, and no more than mostParts are.
func TestParts_End(t *testing.T) {
	db := loaded(t, "1 2\n2 3\n")
	db.parts.idle = time.Hour
	for i := range 2 * mostParts {
		part := projected(t, db)
		db.parts.keep(part, store.Projection{Labels: []string{strconv.Itoa(i)}})
	}
	if got := len(db.parts.kept); got != mostParts {
		t.Errorf("%d parts are kept; want %d", got, mostParts)
	}
	db.parts.closeOf("g")
	db.parts.idle = time.Millisecond
	db.parts.keep(projected(t, db), store.Projection{})
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		db.parts.mu.Lock()
		left := len(db.parts.kept)
		db.parts.mu.Unlock()
		if left == 0 {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("a part is kept for ever")
		}
	}
}

func projected(t *testing.T, db *DB) *store.Part {
	t.Helper()
	whole, err := db.store.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	part, err := db.store.Project(t.Context(), whole, store.Projection{Orientation: "reverse"})
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// What cannot be done on a part is said before anything is stored, and a canceled run leaves nothing.
func TestSubject_Refusals(t *testing.T) {
	db := loaded(t, "1 2\n2 3\n")
	of := store.Projection{Orientation: "reverse"}
	_, err := db.On("g", of).Run(t.Context(), host.Request{Algorithm: "pagerank", Resume: true}, host.Events{})
	if refused := (*PartResumeError)(nil); !errors.As(err, &refused) {
		t.Errorf("resume of a part: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = db.On("g", of).Run(ctx, host.Request{Algorithm: "pagerank"}, host.Events{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled run: %v", err)
	}
	if len(db.parts.kept) != 0 {
		t.Errorf("%d parts are kept of runs that were none", len(db.parts.kept))
	}
}
