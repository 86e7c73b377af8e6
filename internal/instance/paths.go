package instance

import (
	"context"
	"sort"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
)

// paths are those of a result that is paths, as algorithms.Column has it.
type paths struct{ algorithms.Values }

// paths are those of the result, if it is paths.
func (r *Result) paths() (p paths, ok bool) {
	if len(r.Columns) != 1 || r.Columns[0].Path == 0 {
		return p, false
	}
	return paths{r.Columns[0]}, true
}

// each goes over the paths of a vertex: the ids of each.
func (p paths) each(v int, yield func(ids []int64) error) error {
	for all := p.Ints[v*p.Each:][:p.Each]; len(all) > 0 && all[0] != algorithms.Unreached; all = all[p.Path:] {
		ids := all[:p.Path]
		for ids[len(ids)-1] == algorithms.Unreached {
			ids = ids[:len(ids)-1]
		}
		if err := yield(ids); err != nil {
			return err
		}
	}
	return nil
}

// count is how many paths a vertex has.
func (p paths) count(v int) (count int) {
	for at := v * p.Each; at < (v+1)*p.Each && p.Ints[at] != algorithms.Unreached; at += p.Path {
		count++
	}
	return count
}

// eachPath goes over the paths of a result, vertex by vertex: their vertices by dense ids. It takes 12 bytes a vertex.
func (r *Result) eachPath(ctx context.Context, yield func(vertices []uint64) error) error {
	p, ok := r.paths()
	if !ok {
		return nil
	}
	at, err := r.newPlaces(ctx)
	if err != nil {
		return err
	}
	vertices := make([]uint64, 0, p.Path)
	for v := range p.Vertices() {
		err := p.each(v, func(ids []int64) error {
			vertices = vertices[:0]
			for _, id := range ids {
				place, known := at.of(id)
				if !known {
					return &UnknownVertexError{r.Report.Algorithm, id}
				}
				vertices = append(vertices, place)
			}
			return yield(vertices)
		})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// topPaths are n paths, in the order of loading. It takes 8 bytes a vertex.
func (r *Result) topPaths(ctx context.Context, p paths, n int) (top []Ranked, err error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return nil, err
	}
	places, err := r.subject.LoadPlaces(ctx)
	if err != nil {
		return nil, err
	}
	order := make([]int, p.Vertices())
	for v := range order {
		if places == nil {
			order[v] = v
		} else {
			order[places[v]] = v
		}
	}
	for _, v := range order {
		ids, err := r.subject.UserIDs(ctx, uint64(v), uint64(v)+1)
		if err != nil {
			return nil, err
		}
		err = p.each(v, func(path []int64) error {
			list := make([]any, len(path))
			for i, id := range path {
				list[i] = names.VertexText(id)
			}
			if len(top) < n {
				top = append(top, Ranked{ID: ids.Text(0), Value: list})
			}
			return nil
		})
		if err != nil || len(top) == n {
			return top, err
		}
	}
	return top, nil
}

// pathTable has a row for each path. It takes 8 bytes a vertex.
func (r *Result) pathTable(ctx context.Context, p paths) (result.Table, error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return result.Table{}, err
	}
	ends, rows := make([]uint64, p.Vertices()), uint64(0) // of the paths of each vertex
	for v := range ends {
		rows += uint64(p.count(v))
		ends[v] = rows
	}
	first := func(row uint64) int { // where the path of a row begins
		v := sort.Search(len(ends), func(v int) bool { return ends[v] > row })
		return v*p.Each + (p.count(v)-int(ends[v]-row))*p.Path
	}
	at := func(value uint64) int64 {
		return p.Ints[first(value/uint64(p.Path))+int(value%uint64(p.Path))]
	}
	walk := result.Column{Name: p.Name, Each: p.Path}
	walk.Null = func(value uint64) bool { return at(value) == algorithms.Unreached }
	walk.IDs = func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
		for value := from; value < to; value++ {
			ids.Append(names.VertexText(at(value)))
		}
		return ids, nil
	}
	start := func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
		for row := from; row < to; row++ {
			ids.Append(names.VertexText(p.Ints[first(row)]))
		}
		return ids, nil
	}
	return result.Table{Rows: rows, Columns: []result.Column{{Name: "start", IDs: start}, walk}}, nil
}
