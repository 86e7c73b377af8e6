// Package projection streams a part of a snapshot, as an importer would have streamed it:
//
//	snapshot ─labels─▶ Part: its vertices ─▶ their nodes, and the edges among them, of some types
//
// What is computed on a part is computed as if the graph had nothing else.
package projection

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Projection says which part of a graph is meant, as the native projections of Neo4j GDS do. The zero value is all of
// it.
type Projection struct {
	// Labels are of nodes: one that has any of them is in the part. None: every node is.
	Labels []string `json:"labels,omitempty"`
	// Types are of relationships: one between two nodes of the part is in it, if it has any of them. None: each is, also
	// without a type.
	Types       []string    `json:"types,omitempty"`
	Orientation Orientation `json:"orientation,omitempty"`
	// Drawn is a graph that takes the place of the snapshot's relationships, and has some of its vertices; nil: there is
	// none. Labels and Types are asked of it.
	Drawn *Drawn `json:"-"`
	// Added are properties of vertices beside, or in the place of, those that the graph has.
	Added []Added `json:"-"`
	// Linked are relationships beside those that the graph has, or that are drawn up.
	Linked []Linked `json:"-"`
}

// Orientation says how relationships lead in a part. Those of an undirected graph always lead both ways.
type Orientation string

// What an Orientation may be; empty is Natural.
const (
	Natural    Orientation = "natural"
	Reverse    Orientation = "reverse"    // from end to start
	Undirected Orientation = "undirected" // both ways
)

// Orientations lists them.
var Orientations = []string{string(Natural), string(Reverse), string(Undirected)}

// OrientationError says that there is no such orientation.
type OrientationError struct{ Orientation Orientation }

func (e *OrientationError) Error() string {
	return fmt.Sprintf("orientation %q: expected %s", string(e.Orientation), strings.Join(Orientations, ", "))
}

// All tells whether the part is all of any graph.
func (p Projection) All() bool {
	return len(p.Labels) == 0 && len(p.Types) == 0 && (p.Orientation == "" || p.Orientation == Natural) &&
		p.Drawn == nil && len(p.Added) == 0 && len(p.Linked) == 0
}

// String says for people which part it is; "" is all.
func (p Projection) String() string {
	var parts []string
	if p.Drawn != nil {
		parts = append(parts, "as a statement has drawn it up")
	}
	if len(p.Labels) > 0 {
		parts = append(parts, "nodes "+strings.Join(p.Labels, ", "))
	}
	if len(p.Types) > 0 {
		parts = append(parts, "relationships "+strings.Join(p.Types, ", "))
	}
	for _, l := range p.asked() {
		parts = append(parts, l.Type+" as found")
	}
	if p.Orientation != "" && p.Orientation != Natural {
		parts = append(parts, string(p.Orientation))
	}
	return strings.Join(parts, "; ")
}

// Within is the same part of a graph, without an orientation where relationships lead both ways whatever is asked for.
//
// Errors: *failure.UnknownNameError, *OrientationError, for what the graph does not have; *OutdatedError,
// *LinkedPropertyError.
func (p Projection) Within(m *manifest.Manifest) (Projection, error) {
	if p.Orientation != "" && !slices.Contains(Orientations, string(p.Orientation)) {
		return p, &OrientationError{p.Orientation}
	}
	if err := p.Current(m.Graph, m.Numbers()); err != nil {
		return p, err
	}
	all, types := labels(m), m.Types
	if p.Drawn != nil {
		types = distinct(p.Drawn.Types)
		if p.Drawn.Labels != nil {
			all = labelsOf(p.Drawn.Labels)
		}
	}
	if p.Drawn == nil && !m.Directed || p.Drawn != nil && p.Drawn.Undirected {
		p.Orientation = ""
	}
	if err := known(m.Graph, "label", p.Labels, all); err != nil {
		return p, err
	}
	if err := known(m.Graph, "relationship type", p.Types, slices.Concat(types, p.linkedTypes())); err != nil {
		return p, err
	}
	return p, p.Linkable(m)
}

// known fails with the first name that there is not.
func known(graph, kind string, names, all []string) error {
	for _, name := range names {
		if !slices.Contains(all, name) {
			return &failure.UnknownNameError{Graph: graph, Kind: kind, Name: name, Known: all}
		}
	}
	return nil
}

// labels are all labels of a graph.
func labels(m *manifest.Manifest) []string { return labelsOf(m.LabelSets.Sets) }

// labelsOf are all labels in sets of them.
func labelsOf(sets []string) (all []string) {
	for _, set := range distinct(sets) {
		for label := range strings.SplitSeq(set, manifest.LabelSeparator) {
			if label != "" && !slices.Contains(all, label) {
				all = append(all, label)
			}
		}
	}
	return all
}

// distinct are the texts that there are, each once, in the order of the first of each.
func distinct(texts []string) (all []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
		}
	}
	return all
}

// Part is the vertices of a part. They have dense ids of their own, in the order of the snapshot's.
type Part struct {
	Projection
	whole    *snapshot.Snapshot
	vertices []uint32 // by its dense ids, those of the snapshot; nil: all vertices are in the part
}

// New finds the vertices of a part: 4 bytes each, unless all are.
//
// Errors: those of Projection.Within; *failure.DamagedError.
func New(ctx context.Context, whole *snapshot.Snapshot, p Projection) (*Part, error) {
	m := whole.Manifest()
	p, err := p.Within(m)
	if err != nil {
		return nil, err
	}
	part := &Part{Projection: p, whole: whole}
	switch {
	case p.Drawn != nil && len(p.Labels) == 0:
		part.vertices = p.Drawn.Vertices
		return part, nil
	case len(p.Labels) == 0:
		return part, nil
	}
	if part.vertices = []uint32{}; p.Drawn != nil && p.Drawn.Labels != nil {
		for i, v := range p.Drawn.Vertices {
			if p.labeled(p.Drawn.Labels[i]) {
				part.vertices = append(part.vertices, v)
			}
		}
		return part, nil
	}
	for from := uint64(0); from < m.Vertices; from += manifest.BlockRows {
		sets, err := whole.Labels(ctx, from, min(from+manifest.BlockRows, m.Vertices))
		if err != nil {
			return nil, err
		}
		for i, set := range sets {
			if v := uint32(from) + uint32(i); p.labeled(set) && p.draws(v) {
				part.vertices = append(part.vertices, v)
			}
		}
	}
	return part, nil
}

// draws tells whether what is drawn up has a vertex; all do where nothing is.
func (p Projection) draws(vertex uint32) bool {
	if p.Drawn == nil {
		return true
	}
	_, found := slices.BinarySearch(p.Drawn.Vertices, vertex)
	return found
}

// labeled tells whether a set of labels has one that is asked for.
func (p Projection) labeled(set string) bool {
	for label := range strings.SplitSeq(set, manifest.LabelSeparator) {
		if slices.Contains(p.Labels, label) {
			return true
		}
	}
	return false
}

// Vertices is how many there are.
func (p *Part) Vertices() uint64 {
	if p.vertices == nil {
		return p.whole.Manifest().Vertices
	}
	return uint64(len(p.vertices))
}

// Whole is the dense id in the snapshot of a dense id in the part.
func (p *Part) Whole(dense uint64) uint64 {
	if p.vertices == nil {
		return dense
	}
	return uint64(p.vertices[dense])
}

// Places are the vertices' places in the order of loading, among each other; nil: their dense ids.
func (p *Part) Places(ctx context.Context) ([]uint32, error) {
	places, err := p.whole.LoadPlaces(ctx)
	if err != nil || places == nil || p.vertices == nil {
		return places, err
	}
	in := make([]bool, len(places)) // by place: it is of a vertex of the part
	for _, v := range p.vertices {
		in[places[v]] = true
	}
	ranks := make([]uint32, len(places))
	rank := uint32(0)
	for place := range ranks {
		ranks[place] = rank
		if in[place] {
			rank++
		}
	}
	among := make([]uint32, len(p.vertices))
	for dense, v := range p.vertices {
		among[dense] = ranks[places[v]]
	}
	return among, nil
}
