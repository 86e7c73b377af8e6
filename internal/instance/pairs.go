package instance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
)

// Pair is two nodes of a result that is pairs, by dense ids.
type Pair struct {
	From, To uint64
	Score    float64
}

// UnknownVertexError says that a device named a vertex that the graph does not have.
type UnknownVertexError struct {
	Algorithm string
	ID        int64
}

func (e *UnknownVertexError) Error() string {
	return fmt.Sprintf("%s gave a result with vertex %d, which the graph does not have: its device is wrong", e.Algorithm, e.ID)
}

// eachPair goes over the pairs of a result, vertex by vertex. It takes 12 bytes a vertex.
func (r *Result) eachPair(ctx context.Context, yield func(Pair) error) error {
	at, err := r.newPlaces(ctx)
	if err != nil {
		return err
	}
	if r.Columns[0].Rows > 0 {
		return r.eachRow(at, yield)
	}
	others, scores := r.Columns[0], r.Columns[1].Floats
	for v := range others.Vertices() {
		for i, end := entries(others, v); i < end; i++ {
			to, known := at.of(others.Ints[i])
			if !known {
				return &UnknownVertexError{r.Report.Algorithm, others.Ints[i]}
			}
			if err := yield(Pair{uint64(v), to, scores[i]}); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// rows is how many rows of a table of pairs are filled.
func (r *Result) rows() int {
	ids := r.Columns[0].Ints
	return sort.Search(len(ids), func(i int) bool { return ids[i] == algorithms.Unreached })
}

// eachRow goes over the pairs of a table.
func (r *Result) eachRow(at places, yield func(Pair) error) error {
	for i := range r.rows() {
		var ends [2]uint64
		for k := range ends {
			place, known := at.of(r.Columns[k].Ints[i])
			if !known {
				return &UnknownVertexError{r.Report.Algorithm, r.Columns[k].Ints[i]}
			}
			ends[k] = place
		}
		if err := yield(Pair{ends[0], ends[1], r.Columns[2].Floats[i]}); err != nil {
			return err
		}
	}
	return nil
}

// places find vertices by `id`.
type places struct {
	ids   []int64 // by dense id
	order []uint32
}

func (r *Result) newPlaces(ctx context.Context) (p places, err error) {
	if p.ids, err = r.vertexIDs(ctx); err != nil {
		return p, err
	}
	p.order = make([]uint32, len(p.ids))
	for v := range p.order {
		p.order[v] = uint32(v)
	}
	slices.SortFunc(p.order, func(a, b uint32) int { return cmp.Compare(p.ids[a], p.ids[b]) })
	return p, nil
}

// vertexIDs are the `id` of each vertex, by dense id.
func (r *Result) vertexIDs(ctx context.Context) ([]int64, error) {
	ids := make([]int64, r.Report.Vertices)
	return ids, r.subject.FillIDs(ctx, ids)
}

func (p places) of(id int64) (uint64, bool) {
	i, known := sort.Find(len(p.order), func(i int) int { return cmp.Compare(id, p.ids[p.order[i]]) })
	if !known {
		return 0, false
	}
	return uint64(p.order[i]), true
}

// topPairs are the n pairs of the highest scores, ties by vertices in the order of storage.
func (r *Result) topPairs(ctx context.Context, n int) ([]Ranked, error) {
	var top []Pair
	err := r.eachPair(ctx, func(p Pair) error {
		at, _ := slices.BinarySearchFunc(top, p, func(a, b Pair) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
		if at < n {
			top = slices.Insert(top, at, p)
			top = top[:min(len(top), n)]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	ranked := make([]Ranked, len(top))
	for i, p := range top {
		ids := [2]string{}
		for k, v := range []uint64{p.From, p.To} {
			id, err := r.subject.UserIDs(ctx, v, v+1)
			if err != nil {
				return nil, err
			}
			ids[k] = id.Text(0)
		}
		ranked[i] = Ranked{ID: ids[0], Other: ids[1], Value: p.Score}
	}
	return ranked, nil
}

// pairTable has a row for each pair. It takes as much as the pairs.
func (r *Result) pairTable(ctx context.Context) (result.Table, error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return result.Table{}, err
	}
	if rows := r.rows(); r.Columns[0].Rows > 0 {
		table := result.Table{Rows: uint64(rows)}
		for _, c := range r.Columns {
			c.Ints, c.Floats = c.Ints[:min(rows, len(c.Ints))], c.Floats[:min(rows, len(c.Floats))]
			table.Columns = append(table.Columns, fileColumn(c, names))
		}
		return table, nil
	}
	others := r.Columns[0]
	lengths := lengthsOf(others)
	second := packed(others, lengths)
	score := fileColumn(packed(r.Columns[1], lengths), names)
	ends := make([]uint64, len(lengths)) // of the pairs of each vertex
	rows := uint64(0)
	for v, count := range lengths {
		rows += uint64(count)
		ends[v] = rows
	}
	owner := func(row uint64) int { return sort.Search(len(ends), func(v int) bool { return ends[v] > row }) }
	first := func(ctx context.Context, from, to uint64) (ids formats.IDs, _ error) {
		base, end := owner(from), owner(to-1)+1
		users, err := r.subject.UserIDs(ctx, uint64(base), uint64(end))
		for v := base; v < end && err == nil; v++ {
			for ; from < min(ends[v], to); from++ {
				ids.AppendRow(users, v-base)
			}
		}
		return ids, err
	}
	other := fileColumn(second, names)
	other.Name = "node2"
	return result.Table{Rows: rows, Columns: []result.Column{{Name: "node1", IDs: first}, other, score}}, nil
}

// lengthsOf are how many values each vertex has.
func lengthsOf(column algorithms.Values) []int {
	lengths := make([]int, column.Vertices())
	for v := range lengths {
		from, to := entries(column, v)
		lengths[v] = to - from
	}
	return lengths
}

// packed are the values of each vertex without what pads its list, one a row.
func packed(column algorithms.Values, lengths []int) algorithms.Values {
	from := column
	column.Floats, column.Ints, column.Bools, column.Each = nil, nil, nil, 0
	for v, count := range lengths {
		at := v * from.Per()
		switch {
		case from.Floats != nil:
			column.Floats = append(column.Floats, from.Floats[at:at+count]...)
		case from.Ints != nil:
			column.Ints = append(column.Ints, from.Ints[at:at+count]...)
		default:
			column.Bools = append(column.Bools, from.Bools[at:at+count]...)
		}
	}
	return column
}
