package instance

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
)

// paths are those of a result that is paths, in the order of its rows. They take 16 bytes a path beside the result.
type paths struct {
	name    string
	ids     []int64
	costs   []float64 // of each vertex on a path; nil: paths cost nothing
	each    int       // values of a vertex that paths belong to; 0: they belong to none
	spans   []span
	longest int // vertices of a path
}

// span is where the vertices of a path are: ids[from:to].
type span struct{ from, to int }

// paths are those of the result, as algorithms.OfPaths has it.
func (r *Result) paths() paths {
	column := r.Columns[0]
	p := paths{name: column.Name, ids: column.Ints, each: column.Each}
	if column.Rows > 0 {
		p.costs = r.Columns[1].Floats
	}
	for from := 0; from < len(p.ids); {
		to, next := from, from+column.Path
		for to < len(p.ids) && p.ids[to] != algorithms.Unreached && (column.Rows > 0 || to < next) {
			to++
		}
		if column.Rows > 0 {
			next = to + 1
		}
		switch {
		case to > from:
			p.spans, p.longest = append(p.spans, span{from, to}), max(p.longest, to-from)
		case column.Rows > 0: // there are no more
			return p
		}
		from = next
	}
	return p
}

// Path is a path of a result: its vertices by dense ids, and what it costs to each from the first; nil: nothing.
type Path struct {
	Vertices []uint64
	Costs    []float64
}

// eachPath goes over the paths of a result. Their slices are used again. It takes 12 bytes a vertex.
func (r *Result) eachPath(ctx context.Context, yield func(Path) error) error {
	p := r.paths()
	at, err := r.newPlaces(ctx)
	if err != nil {
		return err
	}
	var vertices []uint64
	for _, s := range p.spans {
		vertices = vertices[:0]
		for _, id := range p.ids[s.from:s.to] {
			place, known := at.of(id)
			if !known {
				return &UnknownVertexError{r.Report.Algorithm, id}
			}
			vertices = append(vertices, place)
		}
		path := Path{Vertices: vertices}
		if p.costs != nil {
			path.Costs = p.costs[s.from:s.to]
		}
		if err := yield(path); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// topPaths are n paths: those that belong to vertices in the order of loading, others as they come.
func (r *Result) topPaths(ctx context.Context, n int) (top []Ranked, err error) {
	p := r.paths()
	names, err := r.vertexNames(ctx)
	if err != nil {
		return nil, err
	}
	if p.each > 0 {
		places, err := r.subject.LoadPlaces(ctx)
		if err != nil {
			return nil, err
		}
		if places != nil {
			slices.SortStableFunc(p.spans, func(a, b span) int {
				return cmp.Compare(places[a.from/p.each], places[b.from/p.each])
			})
		}
	}
	for _, s := range p.spans[:min(n, len(p.spans))] {
		list := make([]any, s.to-s.from)
		for i, id := range p.ids[s.from:s.to] {
			list[i] = names.VertexText(id)
		}
		ranked := Ranked{ID: names.VertexText(p.ids[s.from]), Value: list}
		if p.costs != nil {
			ranked.Other, ranked.Value, ranked.Path = names.VertexText(p.ids[s.to-1]), p.costs[s.to-1], list
		}
		top = append(top, ranked)
	}
	return top, nil
}

// pathTable has a row for each path.
//
//	start,walk                        of those that cost nothing
//	source,target,cost,nodes,costs    of others
func (r *Result) pathTable(ctx context.Context) (result.Table, error) {
	p := r.paths()
	names, err := r.vertexNames(ctx)
	if err != nil {
		return result.Table{}, err
	}
	end := func(name string, at func(span) int) result.Column {
		return result.Column{Name: name, IDs: func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
			for _, s := range p.spans[from:to] {
				ids.Append(names.VertexText(p.ids[at(s)]))
			}
			return ids, nil
		}}
	}
	first, last := func(s span) int { return s.from }, func(s span) int { return s.to - 1 }
	place := func(value uint64) (int, bool) { // of a value in a list that is as long as the longest path
		s := p.spans[value/uint64(p.longest)]
		at := s.from + int(value%uint64(p.longest))
		return at, at < s.to
	}
	nodes := result.Column{Name: p.name, Each: max(1, p.longest)}
	nodes.Null = func(value uint64) bool { _, there := place(value); return !there }
	nodes.IDs = func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
		for value := from; value < to; value++ {
			if at, there := place(value); there {
				ids.Append(names.VertexText(p.ids[at]))
			} else {
				ids.Append("")
			}
		}
		return ids, nil
	}
	table := result.Table{Rows: uint64(len(p.spans))}
	if p.costs == nil {
		table.Columns = []result.Column{end("start", first), nodes}
		return table, nil
	}
	total := result.Column{Name: "cost", Floats: make([]float64, len(p.spans))}
	costs := result.Column{Name: "costs", Each: nodes.Each, Null: nodes.Null,
		Floats: make([]float64, len(p.spans)*p.longest)}
	for i, s := range p.spans {
		total.Floats[i] = p.costs[last(s)]
		copy(costs.Floats[i*p.longest:], p.costs[s.from:s.to])
	}
	table.Columns = []result.Column{end("source", first), end("target", last), total, nodes, costs}
	return table, nil
}
