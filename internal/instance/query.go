package instance

import (
	"context"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/query/algorithm"
	"github.com/penstock-db/penstock/store"
)

// CreateGraph makes an empty directed graph, to be filled by statements.
func (db *DB) CreateGraph(ctx context.Context, graph string) error {
	return db.store.CreateGraph(ctx, graph)
}

// Query runs an openCypher statement in a transaction of its own. The caller reads the result
// and closes it.
//
// Errors: *fault.Error, *store.UnknownGraphError.
func (db *DB) Query(ctx context.Context, graph, statement string, parameters map[string]value.Value) (*query.Result,
	error) {
	return db.queries.Run(ctx, graph, statement, parameters)
}

// Begin begins a transaction in which several statements run.
func (db *DB) Begin(ctx context.Context, graph string, access store.Access) (*query.Tx, error) {
	return db.queries.Begin(ctx, graph, access)
}

// Compact folds what statements have changed into the graph's chunks and columns, and gives back
// space that is wasted. That is done in the background, too, before the changes take more memory
// and the files more space than they may.
func (db *DB) Compact(ctx context.Context, graph string) (*store.Manifest, error) {
	m, err := db.store.Compact(ctx, graph)
	if err != nil {
		return nil, err
	}
	return m, db.store.CollectGarbage(ctx)
}

// runner has statements run algorithms.
type runner struct{ db *DB }

func (r runner) Run(ctx context.Context, graph string, of store.Projection, request host.Request) (algorithm.Result,
	error) {
	result, err := r.db.On(graph, of).Run(ctx, request, host.Events{})
	if err != nil {
		return nil, err
	}
	return computed{result}, nil
}

func (r runner) Estimate(ctx context.Context, graph string, of store.Projection, request host.Request) (*host.Needs,
	error) {
	return r.db.On(graph, of).Estimate(ctx, request)
}

// Describe stores a part, which is kept for who runs on it.
func (r runner) Describe(ctx context.Context, graph string, of store.Projection) (*store.Manifest, error) {
	opened, err := r.db.On(graph, of).open(ctx)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.Manifest(), nil
}

func (r runner) Nodes(ctx context.Context, graph string, of store.Projection, yield func(node uint64) error) error {
	opened, err := r.db.On(graph, of).open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	for dense := range opened.Manifest().Vertices {
		if err := yield(opened.vertex(dense)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (r runner) NodeValues(ctx context.Context, graph string, of store.Projection, property string,
	yield func(node uint64, v value.Value) error) error {
	opened, err := r.db.On(graph, of).open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	return opened.NodeValues(ctx, property, func(dense uint64, v value.Value) error {
		return yield(opened.vertex(dense), v)
	})
}

func (r runner) Relationships(ctx context.Context, graph string, of store.Projection, property string,
	yield func(from, to uint64, typ string, v value.Value) error) error {
	opened, err := r.db.On(graph, of).open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	return opened.Relationships(ctx, property, func(from, to uint64, typ string, v value.Value) error {
		return yield(opened.vertex(from), opened.vertex(to), typ, v)
	})
}

func (r runner) UserID(ctx context.Context, graph string, node uint64) (string, error) {
	snapshot, err := r.db.store.Snapshot(graph)
	if err != nil {
		return "", err
	}
	defer snapshot.Close()
	if node >= snapshot.Manifest().Vertices {
		return "", &store.UnknownVertexError{Graph: graph, Vertex: strconv.FormatUint(node, 10)}
	}
	ids, err := snapshot.UserIDs(ctx, node, node+1)
	if err != nil {
		return "", err
	}
	return ids.Text(0), nil
}

// computed is a Result as statements see it.
type computed struct{ *Result }

func (c computed) Report() host.Report { return c.Result.Report }

func (c computed) Topology() uint64 { return c.subject.whole().Topology() }

func (c computed) Directed() bool { return c.subject.Manifest().Directed }

func (c computed) Node(i int) uint64 { return c.subject.vertex(uint64(i)) }

func (c computed) Columns() []algorithms.Values { return c.Result.Columns }

// Value of the i-th node in a column, a list where it has several. What was not reached has none, nor has an empty
// column.
func (c computed) Value(ctx context.Context, values algorithms.Values, node int) (value.Value, error) {
	switch {
	case values.Len() == 0:
		return value.Value{}, nil
	case values.Each == 0:
		return c.at(ctx, values, node)
	}
	var list []value.Value
	for i, end := entries(values, node); i < end; i++ {
		one, err := c.at(ctx, values, i)
		if err != nil {
			return value.Value{}, err
		}
		list = append(list, one)
	}
	return value.OfList(list), nil
}

// at is the value at a place of a column.
func (c computed) at(ctx context.Context, values algorithms.Values, i int) (value.Value, error) {
	if !reached(values, i) {
		return value.Value{}, nil
	}
	switch values.Type {
	case algorithms.Float:
		return value.OfFloat(values.Floats[i]), nil
	case algorithms.Bool:
		return value.OfBool(values.Bools[i]), nil
	case algorithms.VertexID:
		return c.vertex(ctx, values.Ints[i])
	default:
		return value.OfInt(values.Ints[i]), nil
	}
}

// vertex is the user's id of a vertex that is a value.
func (c computed) vertex(ctx context.Context, id int64) (value.Value, error) {
	names, err := c.vertexNames(ctx)
	switch {
	case err != nil:
		return value.Value{}, err
	case names.Integer():
		return value.OfInt(id), nil
	}
	return value.OfString(names.VertexText(id)), nil
}

// Pairs goes over the pairs of a result that is pairs.
func (c computed) Pairs(ctx context.Context, yield func(from, to uint64, score float64) error) error {
	return c.eachPair(ctx, func(p Pair) error {
		return yield(c.subject.vertex(p.From), c.subject.vertex(p.To), p.Score)
	})
}

// Paths goes over the paths of a result that is paths.
func (c computed) Paths(ctx context.Context, yield func(nodes []uint64, costs []float64) error) error {
	return c.eachPath(ctx, func(p Path) error {
		for i, node := range p.Vertices {
			p.Vertices[i] = c.subject.vertex(node)
		}
		return yield(p.Vertices, p.Costs)
	})
}

// Rows goes over the rows of a result that is rows. The slice is used again.
func (c computed) Rows(ctx context.Context, yield func(row []value.Value) error) error {
	at, err := c.knownPlaces(ctx)
	if err != nil {
		return err
	}
	row := make([]value.Value, len(c.Result.Columns))
	for i := range c.Result.Columns[0].Vertices() {
		for k, column := range c.Result.Columns {
			row[k] = c.cell(at, column, i)
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

// cell is what a row of a table has in a column: a node, a number, a truth, or a list of these.
func (c computed) cell(at places, column algorithms.Values, row int) value.Value {
	one := func(i int) value.Value {
		switch {
		case !reached(column, i):
			return value.Value{}
		case column.Type == algorithms.Float:
			return value.OfFloat(column.Floats[i])
		case column.Type == algorithms.Bool:
			return value.OfBool(column.Bools[i])
		case column.Type == algorithms.Int:
			return value.OfInt(column.Ints[i])
		}
		place, _ := at.of(column.Ints[i]) // it is known
		return value.OfNodeID(c.subject.vertex(place))
	}
	if column.Each == 0 {
		return one(row)
	}
	var list []value.Value
	for i, end := entries(column, row); i < end; i++ {
		list = append(list, one(i))
	}
	return value.OfList(list)
}

// Places are, of a column of vertices, where each of them is; -1 of none.
func (c computed) Places(ctx context.Context, column int) ([]int, error) {
	at, err := c.knownPlaces(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]int, len(c.Result.Columns[column].Ints))
	for i, id := range c.Result.Columns[column].Ints {
		place, known := at.of(id)
		if all[i] = int(place); !known {
			all[i] = -1
		}
	}
	return all, nil
}

// WriteColumns keeps columns under their names, as properties.
func (c computed) WriteColumns(ctx context.Context, columns []algorithms.Values) error {
	_, err := c.writeColumns(ctx, columns)
	return err
}

func (c computed) Write(ctx context.Context, property string) error {
	_, err := c.Result.Write(ctx, property)
	return err
}
