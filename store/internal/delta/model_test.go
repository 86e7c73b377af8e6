package delta

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
)

// model is what a version must say, kept in maps.
type model struct {
	nodes         map[uint64]modelNode // beyond the base, or changed
	relationships map[uint64]modelRelationship
}

type modelNode struct {
	deleted bool
	labels  string // nil of the base: "-"
	values  map[Token]string
}

type modelRelationship struct {
	deleted    bool
	start, end uint64
	typ        Token
	values     map[Token]string
}

const (
	modelNodes         = 8 // ids below are the base's, with label 1 each
	modelRelationships = 12
	indexedKey         = Token(2)
)

// baseRelationship is what relationship id of the base is.
func baseRelationship(id uint64) Relationship {
	return Relationship{Start: id % modelNodes, End: (id + 3) % modelNodes, Type: Token(id % 3)}
}

func emptyModel() *model {
	return &model{map[uint64]modelNode{}, map[uint64]modelRelationship{}}
}

func (m *model) clone() *model { return &model{maps.Clone(m.nodes), maps.Clone(m.relationships)} }

func (m *model) hasNode(id uint64) bool {
	if n, ok := m.nodes[id]; ok {
		return !n.deleted
	}
	return id < modelNodes
}

func (m *model) hasRelationship(id uint64) bool {
	if r, ok := m.relationships[id]; ok {
		return !r.deleted
	}
	return id < modelRelationships
}

func (m *model) node(id uint64) modelNode {
	if n, ok := m.nodes[id]; ok {
		n.values = maps.Clone(n.values)
		return n
	}
	return modelNode{labels: "-", values: map[Token]string{}}
}

func (m *model) relationship(id uint64) modelRelationship {
	if r, ok := m.relationships[id]; ok {
		r.values = maps.Clone(r.values)
		return r
	}
	r := baseRelationship(id)
	return modelRelationship{start: r.Start, end: r.End, typ: r.Type, values: map[Token]string{}}
}

// labelsOf are the labels of a node that is there.
func (m *model) labelsOf(id uint64) []Token {
	n := m.node(id)
	if n.labels == "-" {
		return []Token{1}
	}
	var labels []Token
	for _, c := range n.labels {
		labels = append(labels, Token(c-'0'))
	}
	return labels
}

func digits(labels []Token) string {
	var text strings.Builder
	for _, l := range labels {
		fmt.Fprint(&text, l)
	}
	return text.String()
}

// text is everything that a version says.
func (m *model) text() string {
	var t strings.Builder
	labels, types := map[Token]int64{}, map[Token]int64{}
	var nodes, relationships int64
	for _, id := range slices.Sorted(maps.Keys(m.nodes)) {
		n := m.nodes[id]
		fmt.Fprintf(&t, "node %d %v", id, n.deleted)
		if !n.deleted {
			fmt.Fprintf(&t, " %s %v", n.labels, n.values)
			for _, l := range m.labelsOf(id) {
				labels[l]++
			}
			nodes++
		}
		if id < modelNodes {
			labels[1]--
			nodes--
		}
		t.WriteString("\n")
	}
	out, in := map[uint64][]Entry{}, map[uint64][]Entry{}
	lostOut, lostIn := map[uint64]int{}, map[uint64]int{}
	for _, id := range slices.Sorted(maps.Keys(m.relationships)) {
		r := m.relationships[id]
		fmt.Fprintf(&t, "relationship %d %v", id, r.deleted)
		if !r.deleted {
			fmt.Fprintf(&t, " %d-%d->%d %v", r.start, r.typ, r.end, r.values)
		}
		if id >= modelRelationships {
			out[r.start] = append(out[r.start], Entry{id, r.end, r.typ})
			in[r.end] = append(in[r.end], Entry{id, r.start, r.typ})
			types[r.typ]++
			relationships++
		}
		if r.deleted {
			lostOut[r.start]++
			lostIn[r.end]++
			types[r.typ]--
			relationships--
		}
		t.WriteString("\n")
	}
	for id := range uint64(64) {
		if len(out[id])+lostOut[id]+len(in[id])+lostIn[id] > 0 {
			fmt.Fprintf(&t, "adjacent %d: out +%d -%d %v, in +%d -%d %v\n",
				id, len(out[id]), lostOut[id], out[id], len(in[id]), lostIn[id], in[id])
		}
	}
	fmt.Fprintf(&t, "counts %d %d", nodes, relationships)
	for l := range Token(4) {
		fmt.Fprintf(&t, " label %d %d type %d", l, labels[l], types[l])
	}
	return t.String() + "\n"
}

// text is the same of a State.
func (s *State) text() string {
	var t strings.Builder
	for id, n, ok := s.Nodes.Next(0); ok; id, n, ok = s.Nodes.Next(id + 1) {
		fmt.Fprintf(&t, "node %d %v", id, n.Deleted)
		if !n.Deleted {
			labels := "-"
			if n.Labeled {
				labels = digits(n.Labels)
			}
			fmt.Fprintf(&t, " %s %v", labels, valuesOf(n.Properties))
		}
		t.WriteString("\n")
	}
	for id, r, ok := s.Relationships.Next(0); ok; id, r, ok = s.Relationships.Next(id + 1) {
		fmt.Fprintf(&t, "relationship %d %v", id, r.Deleted)
		if !r.Deleted {
			fmt.Fprintf(&t, " %d-%d->%d %v", r.Start, r.Type, r.End, valuesOf(r.Properties))
		}
		t.WriteString("\n")
	}
	for id, a, ok := s.Adjacent.Next(0); ok; id, a, ok = s.Adjacent.Next(id + 1) {
		fmt.Fprintf(&t, "adjacent %d: out +%d -%d %v, in +%d -%d %v\n", id,
			a.Out.Added, a.Out.Removed, entriesOf(&a.Out), a.In.Added, a.In.Removed, entriesOf(&a.In))
	}
	fmt.Fprintf(&t, "counts %d %d", s.Counts.Nodes, s.Counts.Relationships)
	for l := range Token(4) {
		fmt.Fprintf(&t, " label %d %d type %d", l, s.Counts.Label(l), s.Counts.Type(l))
	}
	return t.String() + "\n"
}

func valuesOf(properties []Property) map[Token]string {
	values := map[Token]string{}
	for _, p := range properties {
		values[p.Key] = digit(p.Value)
	}
	return values
}

// digit writes a small integer.
func digit(v value.Value) string { return fmt.Sprint(v.Int()) }

func entriesOf(l *List) []Entry {
	var entries []Entry
	l.All(func(e Entry) bool { entries = append(entries, e); return true })
	slices.SortFunc(entries, func(a, b Entry) int { return int(a.Relationship) - int(b.Relationship) })
	return entries
}

// A version is a State beside its model.
type version struct {
	state *State
	model *model
	text  string
}

// change makes one random change to a draft and its model.
func change(r *rand.Rand, d *Draft, m *model) {
	node, relationship := r.Uint64N(24), r.Uint64N(40)
	key, v := Token(r.IntN(4)), value.OfInt(int64(r.IntN(3)))
	switch r.IntN(8) {
	case 0, 1:
		if _, known := m.nodes[node]; !known && node >= modelNodes {
			labels := ascending([]Token{Token(r.IntN(4)), Token(r.IntN(4))})
			d.CreateNode(node, labels)
			m.nodes[node] = modelNode{labels: digits(labels), values: map[Token]string{}}
		}
	case 2:
		if m.hasNode(node) {
			n, labels := m.node(node), ascending([]Token{Token(r.IntN(4))})
			d.SetLabels(node, m.labelsOf(node), labels)
			n.labels = digits(labels)
			m.nodes[node] = n
		}
	case 3:
		if m.hasNode(node) {
			n := m.node(node)
			d.SetNodeProperty(node, key, v)
			n.values[key] = digit(v)
			m.nodes[node] = n
		}
	case 4:
		if m.hasNode(node) {
			d.DeleteNode(node, m.labelsOf(node))
			m.nodes[node] = modelNode{deleted: true}
		}
	case 5, 6:
		if m.hasRelationship(relationship) {
			from := m.relationship(relationship)
			record := Relationship{Start: from.start, End: from.end, Type: from.typ}
			if r.IntN(3) == 0 {
				d.DeleteRelationship(relationship, record)
				from.deleted = true
			} else {
				d.SetRelationshipProperty(relationship, record, key, v)
				from.values[key] = digit(v)
			}
			m.relationships[relationship] = from
		} else if _, known := m.relationships[relationship]; !known {
			made := modelRelationship{start: node, end: r.Uint64N(24), typ: Token(r.IntN(3)), values: map[Token]string{}}
			d.CreateRelationship(relationship, made.start, made.end, made.typ)
			m.relationships[relationship] = made
		}
	default:
		if d.New(node) != (m.hasNode(node) && node >= modelNodes && !d.Base().HasNode(node)) {
			panic("a node is new, or is not")
		}
	}
}

// Versions say what a model of maps says, whichever way they are made: by the draft, by its changes, and by its changes
// encoded. Later changes leave earlier versions alone.
func TestState_IsAModelInVersions(t *testing.T) {
	r := testseed.Rand(t)
	base := &State{NodeBase: modelNodes, RelationshipBase: modelRelationships}
	base.NodePostings.keys, base.RelationshipPostings.keys = []Token{indexedKey}, []Token{indexedKey}
	versions := []version{{base, emptyModel(), emptyModel().text()}}
	for range 120 {
		from := versions[r.IntN(len(versions))]
		d, m := from.state.Fork(), from.model.clone()
		for range r.IntN(25) {
			change(r, d, m)
		}
		c := d.Changes()
		decoded, err := Decode(c.Append(nil, numbers), numbers)
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range []struct {
			way   string
			state *State
		}{{"draft", d.Commit(from.state, c)}, {"applied", from.state.Apply(c)}, {"decoded", from.state.Apply(decoded)}} {
			s, says := made.state, m
			if made.way != "draft" {
				says = without(m, from.state, d)
			}
			got, want := s.text(), says.text()
			if got != want {
				t.Fatalf("%s: got\n%s\nwant\n%s", made.way, got, want)
			}
			checkPostings(t, s, says)
			versions = append(versions, version{s, says, want})
		}
	}
	for _, v := range versions {
		if got := v.state.text(); got != v.text {
			t.Fatalf("a version has changed, from\n%s\nto\n%s", v.text, got)
		}
	}
}

// without is the model without what the draft both made and deleted, which its changes leave out.
func without(m *model, base *State, d *Draft) *model {
	m = m.clone()
	for _, id := range d.ChangedNodes() {
		if m.nodes[id].deleted && !base.HasNode(id) {
			delete(m.nodes, id)
		}
	}
	for _, id := range d.ChangedRelationships() {
		if m.relationships[id].deleted && !base.HasRelationship(id) {
			delete(m.relationships, id)
		}
	}
	return m
}

// checkPostings: the index finds whatever has a value, in order, each once.
func checkPostings(t *testing.T, s *State, m *model) {
	t.Helper()
	for v := range int64(3) {
		want := value.OfInt(v)
		nodes := s.NodePostings.Find(indexedKey, want)
		relationships := s.RelationshipPostings.Find(indexedKey, want)
		for id, n := range m.nodes {
			if !n.deleted && n.values[indexedKey] == digit(want) && !slices.Contains(nodes, id) {
				t.Fatalf("node %d with %v is not among %v", id, want, nodes)
			}
		}
		for id, r := range m.relationships {
			if !r.deleted && r.values[indexedKey] == digit(want) && !slices.Contains(relationships, id) {
				t.Fatalf("relationship %d with %v is not among %v", id, want, relationships)
			}
		}
		for _, ids := range [][]uint64{nodes, relationships} {
			if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
				t.Fatalf("not ascending: %v", ids)
			}
		}
		if s.NodePostings.Find(indexedKey+1, want) != nil {
			t.Fatal("a key without an index has postings")
		}
	}
}
