package dataset

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// Pair is two vertices: an edge, or what might be one. In an undirected graph the smaller comes first.
type Pair struct{ Source, Target uint32 }

func (p Pair) key() uint64 { return uint64(p.Source)<<32 | uint64(p.Target) }

// Examples are pairs of vertices of which something is known, sorted by source and target. They take 13 bytes each, and
// while they are sorted, which lists of a directed graph in one interval of targets are already, 20 more.
type Examples struct {
	Pairs  []Pair
	Wanted []float32 // the value of each; nil: of links, which are all there
	Parts  []Part
	// Unlabelled are edges that have no value, which are not learned from.
	Unlabelled uint64
}

// EdgeError is an edge that nothing can be learned from, or a property of edges.
type EdgeError struct{ Graph, Property, Reason string }

func (e *EdgeError) Error() string {
	return fmt.Sprintf("edge property %q of graph %s %s", e.Property, e.Graph, e.Reason)
}

// ReadValues reads the values of edges from a property. Several edges between two vertices are as many examples.
//
// Errors: *store.UnknownPropertyError, *EdgeError.
func ReadValues(ctx context.Context, snap *store.Snapshot, property string) (e Examples, err error) {
	wrong := func(format string, args ...any) error {
		return &EdgeError{snap.Manifest().Graph, property, fmt.Sprintf(format, args...)}
	}
	edges := int(snap.Manifest().Edges)
	e.Pairs, e.Wanted = make([]Pair, 0, edges), make([]float32, 0, edges)
	err = eachEdge(ctx, snap, property, func(pairs []Pair, of arrow.Array, view *chunk.Chunk, at []int) error {
		numbers, are := view.Float64s(property)
		if !are {
			return wrong("%s", NotNumbers(property, of.DataType().String()))
		}
		for i, pair := range pairs {
			x := numbers[at[i]]
			switch {
			case of.IsNull(at[i]):
				e.Unlabelled++
				continue
			case math.IsNaN(x) || math.IsInf(float64(float32(x)), 0):
				ends, err := names(ctx, snap, pair)
				if err != nil {
					return err
				}
				return wrong("of %s is %v, %s", ends, x, whyNotSingle(x))
			}
			e.Pairs, e.Wanted = append(e.Pairs, pair), append(e.Wanted, float32(x))
		}
		return nil
	})
	if err == nil && len(e.Pairs) == 0 {
		err = wrong("has no value at any edge: there is nothing to learn")
	}
	e.sort()
	return e, err
}

// NotNumbers says what to do with an edge property of a type that is no number's.
func NotNumbers(property, kind string) string {
	if !OfSeveralTypes(kind) {
		return fmt.Sprintf("is of type %s; values of edges are numbers", kind)
	}
	return "has " + MakeFloats("()-[r]->()", "r", property)
}

// OfSeveralTypes tells whether a column has values of several types, as 4 and 'x' are, or 4 and 4.0.
func OfSeveralTypes(kind string) bool { return kind == arrow.BinaryTypes.Binary.String() }

// MakeFloats says how a property of what a pattern names gets values of one type.
func MakeFloats(pattern, variable, property string) string {
	return fmt.Sprintf("values of several types; make them numbers of one, as by MATCH %s SET %s.`%s` = toFloat(%[2]s.`%[3]s`)",
		pattern, variable, property)
}

// whyNotSingle says why a number is none that is learned from.
func whyNotSingle(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "which is not a finite number"
	}
	return fmt.Sprintf("which is too large; numbers are up to %.2g in size", math.MaxFloat32)
}

// CheckCounts sees to it that values are how often something was: numbers of at least 0.
//
// Errors: *EdgeError.
func (e Examples) CheckCounts(ctx context.Context, snap *store.Snapshot, property string) error {
	for i, x := range e.Wanted {
		if x < 0 {
			ends, err := names(ctx, snap, e.Pairs[i])
			if err != nil {
				return err
			}
			return &EdgeError{snap.Manifest().Graph, property,
				fmt.Sprintf("of %s is %v; what is observed so often, is at least 0 times", ends, x)}
		}
	}
	return nil
}

// ReadLinks reads what edges there are, each once. Those from a vertex to itself say nothing of links.
func ReadLinks(ctx context.Context, snap *store.Snapshot) (e Examples, err error) {
	err = eachEdge(ctx, snap, "", func(pairs []Pair, _ arrow.Array, _ *chunk.Chunk, _ []int) error {
		for _, p := range pairs {
			if p.Source != p.Target {
				e.Pairs = append(e.Pairs, p)
			}
		}
		return nil
	})
	e.sort()
	e.Pairs = slices.Compact(e.Pairs)
	return e, err
}

// sort sorts examples by their vertices, and those of the same by value.
func (e *Examples) sort() {
	compare := func(a, b int) int {
		by := cmp.Compare(e.Pairs[a].key(), e.Pairs[b].key())
		if by == 0 && e.Wanted != nil {
			by = cmp.Compare(e.Wanted[a], e.Wanted[b])
		}
		return by
	}
	sorted := true
	for i := 1; i < len(e.Pairs) && sorted; i++ {
		sorted = compare(i-1, i) <= 0
	}
	if sorted {
		return
	}
	order := make([]int, len(e.Pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	pairs, wanted := make([]Pair, len(order)), make([]float32, len(e.Wanted))
	for i, from := range order {
		if pairs[i] = e.Pairs[from]; e.Wanted != nil {
			wanted[i] = e.Wanted[from]
		}
	}
	if e.Pairs = pairs; e.Wanted != nil {
		e.Wanted = wanted
	}
}

// eachEdge reads all edges, chunk by chunk, each once: of an undirected graph from its smaller end. With a property,
// yield is told its values, and at which place that of each pair stands.
func eachEdge(ctx context.Context, snap *store.Snapshot, property string,
	yield func(pairs []Pair, of arrow.Array, view *chunk.Chunk, at []int) error) error {
	m := snap.Manifest()
	if m.Vertices > math.MaxUint32 {
		return fmt.Errorf("edges are learned from between up to %d vertices", uint32(math.MaxUint32))
	}
	columns, err := edgeColumn(snap, property)
	if err != nil {
		return err
	}
	direction := chunk.Out
	if !m.Directed {
		direction = chunk.Both
	}
	var buffer []byte
	for _, info := range snap.Chunks(direction) {
		size, err := snap.ChunkSize(info, columns)
		if err != nil {
			return err
		}
		if len(buffer) < size {
			buffer = chunk.Aligned(size)
		}
		n, err := snap.ReadChunk(ctx, info, columns, buffer)
		if err != nil {
			return err
		}
		view, err := chunk.Open(buffer[:n])
		if err != nil {
			return err
		}
		var of arrow.Array
		if property != "" {
			of, _ = view.Column(property)
		}
		pairs, at := pairsOf(view, m.Directed)
		err = yield(pairs, of, view, at)
		view.Release()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// edgeColumn is the column of a property of edges; none without a property.
func edgeColumn(snap *store.Snapshot, property string) ([]string, error) {
	if property == "" {
		return []string{}, nil
	}
	var known []string
	for _, p := range snap.Manifest().EdgeProperties {
		known = append(known, p.Name)
	}
	if !slices.Contains(known, property) {
		return nil, &store.UnknownPropertyError{Graph: snap.Manifest().Graph, Kind: "edge", Name: property, Known: known}
	}
	return []string{property}, nil
}

func pairsOf(view *chunk.Chunk, directed bool) (pairs []Pair, at []int) {
	place, base := 0, uint32(view.Meta().Cols.Base)
	for v, list := range view.Lists() {
		for _, local := range list {
			if p := (Pair{uint32(v), base + local}); directed || p.Source <= p.Target {
				pairs, at = append(pairs, p), append(at, place)
			}
			place++
		}
	}
	return pairs, at
}

// names are the ends of an edge as the user calls them.
func names(ctx context.Context, snap *store.Snapshot, p Pair) (string, error) {
	source, err := snap.UserIDs(ctx, uint64(p.Source), uint64(p.Source)+1)
	if err != nil {
		return "", err
	}
	target, err := snap.UserIDs(ctx, uint64(p.Target), uint64(p.Target)+1)
	if err != nil {
		return "", err
	}
	return source.Text(0) + " → " + target.Text(0), nil
}

// Draw splits examples at random by their vertices, so that edges between the same two are for the same. The same seed
// makes the same split.
func (e *Examples) Draw(s Shares, seed uint64) {
	distinct := 0
	for i, p := range e.Pairs {
		if i == 0 || p != e.Pairs[i-1] {
			distinct++
		}
	}
	order := rand.New(rand.NewPCG(seed, splitStream)).Perm(distinct)
	parts, from, sum := make([]Part, distinct), 0, 0.0
	for k, share := range s {
		sum += share
		to := min(distinct, int(sum*float64(distinct)+0.5))
		for _, i := range order[from:to] {
			parts[i] = Train + Part(k)
		}
		from = to
	}
	e.Parts = make([]Part, len(e.Pairs))
	number := -1
	for i, p := range e.Pairs {
		if i == 0 || p != e.Pairs[i-1] {
			number++
		}
		e.Parts[i] = parts[number]
	}
}

// ReadParts reads a split from a property of strings. Edges without one are for nothing, and pass messages.
//
// Errors: *store.UnknownPropertyError, *EdgeError, also where edges between the same two vertices are for different
// parts: one would tell what another is to be tested with.
func (e *Examples) ReadParts(ctx context.Context, snap *store.Snapshot, property string) error {
	wrong := func(format string, args ...any) error {
		return &EdgeError{snap.Manifest().Graph, property, fmt.Sprintf(format, args...)}
	}
	e.Parts = make([]Part, len(e.Pairs))
	return eachEdge(ctx, snap, property, func(pairs []Pair, of arrow.Array, _ *chunk.Chunk, at []int) error {
		texts, are := of.(*array.String)
		if !are {
			return wrong("is of type %v; a split is a property that says train, validation or test, or shares such as "+
				"0.8,0.1,0.1", of.DataType())
		}
		for i, p := range pairs {
			if of.IsNull(at[i]) {
				continue
			}
			part, known := partNamed(texts.Value(at[i]))
			first, found := slices.BinarySearchFunc(e.Pairs, p, func(a, b Pair) int { return cmp.Compare(a.key(), b.key()) })
			problem := ""
			switch {
			case !known:
				problem = fmt.Sprintf("says %q; a split says train, validation or test", texts.Value(at[i]))
			case !found:
				continue // it has no value
			case e.Parts[first] != Unused && e.Parts[first] != part:
				problem = fmt.Sprintf("says %s and %s of edges between the same vertices", Parts[e.Parts[first]], Parts[part])
			}
			if problem != "" {
				ends, err := names(ctx, snap, p)
				if err != nil {
					return err
				}
				return wrong("of %s %s", ends, problem)
			}
			for k := first; k < len(e.Pairs) && e.Pairs[k] == p; k++ {
				e.Parts[k] = part
			}
		}
		return nil
	})
}

// Many is how many examples a part has.
func (e *Examples) Many(part Part) (n int) {
	for _, p := range e.Parts {
		if p == part {
			n++
		}
	}
	return n
}

// Of are the examples of a part, not to be changed: where all are of it, they are these themselves.
func (e *Examples) Of(part Part) (of Examples) {
	n := e.Many(part)
	if n == len(e.Pairs) {
		return Examples{Pairs: e.Pairs, Wanted: e.Wanted}
	}
	if of.Pairs = make([]Pair, 0, n); e.Wanted != nil {
		of.Wanted = make([]float32, 0, n)
	}
	for i, p := range e.Parts {
		if p != part {
			continue
		}
		if of.Pairs = append(of.Pairs, e.Pairs[i]); e.Wanted != nil {
			of.Wanted = append(of.Wanted, e.Wanted[i])
		}
	}
	return of
}

// PairOf is two vertices, in the order that pairs of such a graph have.
func PairOf(source, target uint32, directed bool) Pair {
	if !directed && source > target {
		source, target = target, source
	}
	return Pair{source, target}
}
