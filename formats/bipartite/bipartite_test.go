package bipartite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/graphtest"
)

// edges are the edges of a graph, as pairs of what a file says.
type edges struct {
	pairs  [][2]string
	nodes  bool
	rows   int // of a batch; 0: as many as there are
	closed *int
}

func (e edges) Schema() formats.Schema {
	return formats.Schema{Vertices: -1, Edges: int64(len(e.pairs)), NodesDeclared: e.nodes}
}
func (e edges) Close() error {
	*e.closed++
	return nil
}
func (e edges) Nodes(context.Context, func(*formats.NodeBatch) error) error { return nil }

func (e edges) Edges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	b := batch.NewEdges(ctx, nil, "file", nil, yield)
	for i, pair := range e.pairs {
		b.Src.Append(pair[0])
		b.Dst.Append(pair[1])
		if err := b.EndRow(int64(i + 1)); err != nil {
			return err
		}
		if e.rows > 0 && i%e.rows == 0 {
			if err := b.Flush(); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

func inputOf(e edges) Input {
	return Input{Paths: []string{"file"}, Left: Side{Label: "User"}, Right: Side{Label: "Item"}, Type: "RATED",
		Edges: func(formats.Options) (formats.Source, error) { return e, nil }}
}

// open is the graph of some edges.
func open(t testing.TB, in Input, opts formats.Options) (*graphtest.Graph, *Source, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	opts.Allocator = mem
	source, err := Open(context.Background(), in, opts)
	if err != nil {
		return nil, nil, err
	}
	g, err := graphtest.Collect(context.Background(), source)
	return g, source, errors.Join(err, source.Close())
}

// wanted are the nodes of one side, as the package says: by what is known of all edges at once.
func wanted(label string, ids []string, names bool) (nodes []graphtest.Node) {
	var ints []int64
	var texts []string
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if n, ok := formats.ParseID(id); ok {
			ints = append(ints, n)
		} else {
			texts = append(texts, id)
		}
	}
	slices.Sort(ints)
	node := func(id string, value any) {
		nodes = append(nodes, graphtest.Node{ID: label + ":" + id, Labels: label, Values: []any{value}})
	}
	for _, n := range ints {
		if id := strconv.FormatInt(n, 10); names {
			node(id, id)
		} else {
			node(id, n)
		}
	}
	for _, text := range texts {
		node(text, text)
	}
	return nodes
}

// Whatever ids either side has, near or far apart, integers or names, the same or others, the graph is as a model says
// that looks at all edges at once; and numbers are those of nodes.
func TestOpen_Model(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.OneOf(
			rapid.Map(rapid.Int64Range(0, 5), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.Map(rapid.Int64Range(always-2, always+2), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.Map(rapid.Int64Min(0), func(n int64) string { return strconv.FormatInt(n, 10) }),
		)
		if rapid.Bool().Draw(rt, "names") {
			id = rapid.OneOf(id, rapid.SampledFrom([]string{"ann", "bob", "007", "-1"}))
		}
		closed := 0
		e := edges{closed: &closed, rows: rapid.IntRange(0, 3).Draw(rt, "rows")}
		var ids [2][]string
		for range rapid.IntRange(1, 40).Draw(rt, "edges") {
			pair := [2]string{id.Draw(rt, "left"), id.Draw(rt, "right")}
			e.pairs = append(e.pairs, pair)
			ids[0], ids[1] = append(ids[0], pair[0]), append(ids[1], pair[1])
		}
		got, source, err := open(t, inputOf(e), formats.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		names := slices.ContainsFunc(slices.Concat(ids[0], ids[1]), func(id string) bool {
			_, ok := formats.ParseID(id)
			return !ok
		})
		want := &graphtest.Graph{NodesDeclared: true, NodeSchema: source.Schema().Node,
			Nodes: append(wanted("User", ids[0], names), wanted("Item", ids[1], names)...)}
		for _, pair := range e.pairs {
			want.Edges = append(want.Edges, graphtest.Edge{Src: "User:" + pair[0], Dst: "Item:" + pair[1], Type: "RATED"})
		}
		for i := range got.Edges {
			got.Edges[i].Values = nil
		}
		if difference := graphtest.Diff(want, got); difference != "" {
			rt.Fatal(difference)
		}
		if closed != 2 {
			rt.Fatalf("edges were closed %d times", closed)
		}
		checkNumbers(rt, inputOf(e), got.Nodes)
	})
}

// checkNumbers compares numbers of ends with the order of nodes.
func checkNumbers(t interface{ Fatalf(string, ...any) }, in Input, nodes []graphtest.Node) {
	source, err := Open(context.Background(), in, formats.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer source.Close()
	if err := source.Nodes(context.Background(), func(*formats.NodeBatch) error { return nil }); err != nil {
		t.Fatalf("%v", err)
	}
	err = source.Edges(context.Background(), func(b *formats.EdgeBatch) error {
		for i := range b.Src.Len() {
			if nodes[b.SrcNumbers[i]].ID != b.Src.Text(i) || nodes[b.DstNumbers[i]].ID != b.Dst.Text(i) {
				return fmt.Errorf("edge %d is between numbers %d and %d", i, b.SrcNumbers[i], b.DstNumbers[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// letters are values of a property.
type letters struct{ text, left string }

func (l *letters) rows() *Rows {
	return &Rows{Field: arrow.Field{Name: "letter", Type: arrow.BinaryTypes.String, Nullable: true},
		Open: func() (Reader, error) { l.left = l.text; return l, nil }}
}

func (l *letters) Close() error { return nil }

func (l *letters) Next(to array.Builder) (int64, error) {
	if l.left == "" {
		return 0, io.EOF
	}
	to.(*array.StringBuilder).Append(l.left[:1])
	l.left = l.left[1:]
	return int64(len(l.text) - len(l.left)), nil
}

// Rows say which vertices a side has, also those that no edge meets, and an edge to another is refused.
func TestOpen_Rows(t *testing.T) {
	closed := 0
	in := inputOf(edges{pairs: [][2]string{{"2", "7"}}, closed: &closed})
	in.Left.Rows = (&letters{text: "abc"}).rows()
	got, _, err := open(t, in, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, n := range got.Nodes {
		seen = append(seen, fmt.Sprint(n.ID, n.Labels, n.Values))
	}
	want := []string{"User:1User[1 a]", "User:2User[2 b]", "User:3User[3 c]", "Item:7Item[7 <nil>]"}
	if !slices.Equal(seen, want) || got.Edges[0].Src != "User:2" || got.Edges[0].Dst != "Item:7" {
		t.Errorf("%v, %v", seen, got.Edges)
	}
	checkNumbers(t, in, got.Nodes)
	for _, id := range []string{"0", "4", "ann"} {
		in.Edges = func(formats.Options) (formats.Source, error) {
			return edges{pairs: [][2]string{{"2", "7"}, {id, "7"}}, closed: &closed}, nil
		}
		if _, _, err := open(t, in, formats.Options{}); err == nil ||
			err.Error() != "file:2: User "+id+"; expected one of 1 to 3" {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestOpen_Bad(t *testing.T) {
	closed := 0
	some := edges{pairs: [][2]string{{"1", "1"}}, closed: &closed}
	for want, change := range map[string]func(*Input){
		"file: no edges; expected at least one, from User to Item": func(in *Input) {
			in.Edges = func(formats.Options) (formats.Source, error) { return edges{closed: &closed}, nil }
		},
		"file: a graph that declares its nodes; expected edges alone, whose ends are User and Item": func(in *Input) {
			in.Edges = func(formats.Options) (formats.Source, error) { return edges{nodes: true, closed: &closed}, nil }
		},
		"file: User on the left and on the right; expected two labels, to tell the types of vertices apart": func(in *Input) {
			in.Right.Label = "User"
		},
		"standard input: an input that can be read only once; expected a file, because a bipartite graph is read twice: " +
			"for the ids of either side, and for its edges": func(in *Input) { in.Paths = []string{"-"} },
		"file: no User; expected at least one": func(in *Input) { in.Left.Rows = (&letters{}).rows() },
		"file:1: Item 2, which was not there before; expected a file that nobody changes while it is read twice": func(in *Input) {
			reading := 0
			in.Edges = func(formats.Options) (formats.Source, error) {
				reading++
				return edges{pairs: [][2]string{{"1", strconv.Itoa(reading)}}, closed: &closed}, nil
			}
		},
	} {
		in := inputOf(some)
		change(&in)
		_, _, err := open(t, in, formats.Options{})
		var parse *formats.ParseError
		if !errors.As(err, &parse) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// Ids keep to their share of memory: integers that are dense, that lie far apart, and names.
func TestOpen_Memory(t *testing.T) {
	const memory = 4 << 20
	for name, id := range map[string]func(i int) string{
		"dense":  strconv.Itoa,
		"sparse": func(i int) string { return strconv.Itoa(i * 1_000_003) },
		"names":  func(i int) string { return "name" + strconv.Itoa(i) },
	} {
		closed := 0
		e := edges{closed: &closed}
		for i := range 100_000 {
			e.pairs = append(e.pairs, [2]string{id(i), "1"})
		}
		_, _, err := open(t, inputOf(e), formats.Options{Memory: memory})
		var limit *formats.LimitError
		if !errors.As(err, &limit) || !strings.Contains(err.Error(), "ids of User of more than 1048576 bytes") {
			t.Errorf("%s: %v", name, err)
		}
		_, source, err := open(t, inputOf(e), formats.Options{Memory: 100 << 20})
		if err != nil || source.Held() < 100_000*perVertex {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Progress goes on from the first reading to the second.
func TestOpen_Progress(t *testing.T) {
	told := map[[2]int64]bool{}
	opts := formats.Options{Progress: func(read, total int64) { told[[2]int64{read, total}] = true }}
	readingOf(opts, 1).Progress(3, 10)
	readingOf(opts, 2).Progress(3, 10)
	if want := map[[2]int64]bool{{3, 20}: true, {13, 20}: true}; !maps.Equal(told, want) {
		t.Errorf("%v", told)
	}
}
