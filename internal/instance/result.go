package instance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// Result is what a Run computed, with the snapshot it was computed on, which stays
// pinned until Close. Columns have as many values a vertex as their Per says.
type Result struct {
	*host.Result
	db      *DB
	subject *opened
	memory  *memory.Account   // has what the columns take
	names   *host.VertexNames // once vertexNames has read them
}

// Close lets go of the snapshot, and of the columns.
func (r *Result) Close() {
	r.memory.Give(r.Held)
	r.Held = 0
	r.subject.Close()
}

// Part is the part of the graph that was computed on.
func (r *Result) Part() Part { return r.subject.of }

// Title is the graph, and which part of it, for people.
func (r *Result) Title() string { return r.subject.Manifest().Graph }

// PerSource is how many columns there are for each source; of a run that is not from several sources, all.
func (r *Result) PerSource() int { return len(r.Columns) / max(1, len(r.Report.Sources)) }

// Figures sums the result up: components, triangles, vertices reached … Programs of
// one's own have none. From several sources there are as many, with the source behind their name.
func (r *Result) Figures() []algorithms.Figure {
	algorithm, err := catalog.Lookup(r.Report.Algorithm)
	if err != nil || algorithm.Figures == nil {
		return nil
	}
	if len(r.Report.Sources) == 0 {
		return algorithm.Figures(r.Columns)
	}
	var all []algorithms.Figure
	for i, source := range r.Report.Sources {
		for _, figure := range algorithm.Figures(r.Columns[i*r.PerSource():][:r.PerSource()]) {
			figure.Name += " from " + source.Source
			all = append(all, figure)
		}
	}
	return all
}

// Measures say how good the result is: modularity … From several sources there are none.
func (r *Result) Measures() []algorithms.Measure {
	algorithm, err := catalog.Lookup(r.Report.Algorithm)
	if err != nil || algorithm.Measures == nil || len(r.Report.Sources) > 0 {
		return nil
	}
	return algorithm.Measures(r.Columns)
}

// Ranked is a vertex of a result.
type Ranked struct {
	ID    string `json:"id"`              // the user's
	Other string `json:"other,omitempty"` // of a pair, or where a path ends
	Value any    `json:"value"`
	Path  []any  `json:"path,omitempty"` // the vertices on a path whose cost is the value
	Row   []any  `json:"-"`              // of a table: its values, in the order of the columns; there is nothing else
}

// vertexNames reads the users' ids once, and only for a result that names vertices; nil
// for any other. It fails with an *UnknownVertexError where the graph does not have one of
// these, before anything is given out.
func (r *Result) vertexNames(ctx context.Context) (*host.VertexNames, error) {
	if r.names != nil || !r.namesVertices() {
		return r.names, nil
	}
	ids, err := r.vertexIDs(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.checkVertices(ctx, membership(ids)); err != nil {
		return nil, err
	}
	names, err := host.NewVertexNames(ctx, r.subject.Snapshot)
	if err != nil {
		return nil, err
	}
	r.names = names
	return names, nil
}

// Top is TopOf the first column.
func (r *Result) Top(ctx context.Context, n int) ([]Ranked, error) { return r.TopOf(ctx, 0, n) }

// TopOf returns the n vertices with the largest values of a column, by its place, largest
// first, ties by order of loading. Vertices without a finite value, such as unreached
// ones, are left out. VertexID columns, and those with several values a vertex, have no
// order: their vertices come in order of loading, with the user ids they name. Of a result that
// is pairs, they are the n pairs of the highest scores; of one that is paths, n paths; of one that is rows, the
// first n.
func (r *Result) TopOf(ctx context.Context, place, n int) ([]Ranked, error) {
	if n <= 0 {
		return nil, nil
	}
	switch r.Shape {
	case algorithms.OfPairs:
		return r.topPairs(ctx, n)
	case algorithms.OfPaths:
		return r.topPaths(ctx, n)
	case algorithms.OfRows:
		return r.topRows(ctx, n)
	}
	column := r.Columns[place]
	places, err := r.subject.LoadPlaces(ctx)
	if err != nil {
		return nil, err
	}
	vertices := largest(column, places, n)
	names, err := r.vertexNames(ctx)
	if err != nil {
		return nil, err
	}
	top := make([]Ranked, len(vertices))
	for i, v := range vertices {
		ids, err := r.subject.UserIDs(ctx, uint64(v), uint64(v)+1)
		if err != nil {
			return nil, err
		}
		top[i] = Ranked{ID: ids.Text(0), Value: userValue(column, v, names)}
	}
	return top, nil
}

// userValue is what vertex v has as a user sees it: vertices by their ids, several values as a list.
func userValue(column algorithms.Values, v int, names *host.VertexNames) any {
	if column.Each == 0 {
		return userNumber(column, v, names)
	}
	list := []any{}
	for i, end := entries(column, v); i < end; i++ {
		list = append(list, userNumber(column, i, names))
	}
	return list
}

// userNumber is a value at its place in the column.
func userNumber(column algorithms.Values, i int, names *host.VertexNames) any {
	switch column.Type {
	case algorithms.Float:
		return column.Floats[i]
	case algorithms.Bool:
		return column.Bools[i]
	case algorithms.VertexID:
		return names.VertexText(column.Ints[i])
	default:
		return column.Ints[i]
	}
}

// entries are the places [from, to) of the values of vertex v in a column, but for what pads a list at its end.
func entries(column algorithms.Values, v int) (from, to int) {
	from, to = v*column.Per(), (v+1)*column.Per()
	for column.Each > 0 && to > from && pads(column, to-1) {
		to--
	}
	return from, to
}

// pads tells whether there is no value at a place of a list.
func pads(column algorithms.Values, i int) bool {
	return !reached(column, i) || column.Floats != nil && math.IsNaN(column.Floats[i])
}

// largest returns the dense ids of the n largest values, ties by place (nil: by dense
// id), in O(vertices·log n) time and O(n) memory.
func largest(column algorithms.Values, places []uint32, n int) []int {
	place := func(v int) uint32 { return uint32(v) }
	if places != nil {
		place = func(v int) uint32 { return places[v] }
	}
	before := func(a, b int) int { return cmp.Or(compareValues(column, b, a), cmp.Compare(place(a), place(b))) }
	top := make([]int, 0, max(n, 0)+1)
	for v := range column.Vertices() {
		if n <= 0 || !finite(column, v) || len(top) == n && before(v, top[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, v, before)
		top = slices.Insert(top, at, v)
		top = top[:min(len(top), n)]
	}
	return top
}

// finite says whether vertex v has a value, and one that is a number: it was reached. Lists are values.
func finite(column algorithms.Values, v int) bool {
	if column.Each > 0 {
		return true
	}
	if !reached(column, v) || column.Floats == nil {
		return reached(column, v)
	}
	return !math.IsInf(column.Floats[v], 0) && !math.IsNaN(column.Floats[v])
}

func compareValues(column algorithms.Values, a, b int) int {
	switch {
	case column.Each > 0:
		return 0
	case column.Floats != nil:
		return cmp.Compare(column.Floats[a], column.Floats[b])
	case column.Type == algorithms.Int:
		return cmp.Compare(column.Ints[a], column.Ints[b])
	case column.Bools != nil && column.Bools[a] != column.Bools[b]:
		return map[bool]int{true: 1, false: -1}[column.Bools[a]]
	default:
		return 0
	}
}

// Write stores the result as node properties of the graph, in one atomic step: the first column under the name
// property, a further one under property_COLUMN; from several sources, property_SOURCE and property_COLUMN_SOURCE. With
// them goes what is needed to repeat the run. Of a part, vertices outside keep what an earlier result of the same name
// and type gave them, or have none. It fails with store.ErrConflict when the graph was changed since the run
// began, and with a *store.PropertyError for names that the graph cannot have, which Request.Property has refused
// before the run.
func (r *Result) Write(ctx context.Context, property string) (*store.Manifest, error) {
	named := slices.Clone(r.Columns)
	for i := range named {
		named[i].Name = r.propertyName(property, i)
	}
	return r.writeColumns(ctx, named)
}

// writeColumns stores columns as vertex properties with their names.
func (r *Result) writeColumns(ctx context.Context, named []algorithms.Values) (*store.Manifest, error) {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return nil, err
	}
	columns := make([]store.PropertyColumn, len(named))
	for i, column := range named {
		if column.Each > 0 && column.Len() > math.MaxInt32 {
			return nil, &ListsError{Property: column.Name, Values: column.Len()}
		}
		columns[i] = store.PropertyColumn{Name: column.Name, Values: arrowColumn(column, names)}
		defer columns[i].Values.Release()
	}
	provenance, err := r.provenance()
	if err != nil {
		return nil, err
	}
	return r.subject.writeProperties(ctx, columns, provenance)
}

// ListsError says that a property of lists would have more values than one can have.
type ListsError struct {
	Property string
	Values   int
}

func (e *ListsError) Error() string {
	return fmt.Sprintf("property %s would have lists of %d values in all; one can have %d: ask for fewer of each vertex, or write them to a file with --out",
		e.Property, e.Values, math.MaxInt32)
}

// propertyName is what column i is called as a property.
func (r *Result) propertyName(property string, i int) string {
	source := ""
	if len(r.Report.Sources) > 0 {
		source = r.Report.Sources[i/r.PerSource()].Source
	}
	return host.PropertyName(property, i%r.PerSource(), r.Columns[i].Name, source)
}

// WriteFile writes one row per vertex or, of a result that is pairs, paths or rows, each of these, with the user's ids,
// in the format that the file's ending tells: .csv (.csv.gz, .csv.zst), .arrow or .parquet. The file appears
// when it is whole.
func (r *Result) WriteFile(ctx context.Context, file string) error {
	names, err := r.vertexNames(ctx)
	if err != nil {
		return err
	}
	table := result.Table{Rows: r.Report.Vertices, IDs: r.subject.UserIDs}
	switch r.Shape {
	case algorithms.OfPairs:
		table, err = r.pairTable(ctx)
	case algorithms.OfPaths:
		table, err = r.pathTable(ctx)
	case algorithms.OfRows:
		table, err = r.rowTable(ctx)
	default:
		for _, column := range r.Columns {
			table.Columns = append(table.Columns, fileColumn(column, names))
		}
	}
	if err != nil {
		return err
	}
	return result.Write(ctx, file, table)
}

// fileColumn is a result column as a file has it: vertices by their user ids.
func fileColumn(column algorithms.Values, names *host.VertexNames) result.Column {
	c := result.Column{Name: column.Name, Floats: column.Floats, Bools: column.Bools, Each: column.Each}
	if column.Each > 0 && column.Floats != nil {
		c.Null = func(i uint64) bool { return pads(column, int(i)) }
	}
	switch {
	case column.Ints == nil:
		return c
	case column.Type == algorithms.VertexID && !names.Integer():
		c.IDs = func(_ context.Context, from, to uint64) (ids formats.IDs, _ error) {
			for _, id := range column.Ints[from:to] {
				ids.Append(names.VertexText(id))
			}
			return ids, nil
		}
	default:
		c.Ints = column.Ints
	}
	c.Null = func(i uint64) bool { return !reached(column, int(i)) }
	return c
}

func (r *Result) provenance() (store.Provenance, error) {
	report := r.Report
	digest, err := report.Plugin.SHA256()
	parameters := map[string]string{}
	maps.Copy(parameters, report.Parameters)
	if part := r.Part(); !part.All() {
		parameters["part"] = part.String()
	}
	return store.Provenance{
		Snapshot: report.Snapshot, Algorithm: report.Algorithm, Parameters: parameters,
		Plugin: report.Plugin.Name, Version: report.Plugin.Version, SHA256: digest,
		Threads: report.Threads, Time: time.Now().UTC(),
	}, err
}
