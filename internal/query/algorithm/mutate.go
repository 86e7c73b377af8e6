package algorithm

import (
	"context"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

// mutate keeps the result as a property of a projection, which other algorithms on it read. The graph does not have it.
func (c call) mutate(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	if request.mutateProperty == "" {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"gds mutate needs the name of a property: {mutateProperty: 'name'}")
	}
	if _, err := c.projected.mutable(g.Name(), request.projection); err != nil {
		return err
	}
	request, err := c.asked(ctx, g, request)
	if err != nil {
		return err
	}
	result, err := c.run(ctx, g, request)
	if err != nil {
		return err
	}
	defer result.Close()
	began := time.Now()
	columns := c.form.kept(result, request.mutateProperty, request)
	if columns == nil {
		columns = slices.Clone(result.Columns())
		for i := range columns {
			columns[i].Name = host.PropertyName(request.mutateProperty, i, columns[i].Name, "")
		}
	}
	properties, err := added(ctx, g, result, columns)
	if err == nil {
		err = c.projected.mutate(g.Name(), request.projection, properties)
	}
	if err != nil {
		return err
	}
	return yield(append(valuesOf(ctx, c.sums(), result, request), value.OfFloat(time.Since(began).Seconds()*1e3),
		c.form.given(result, request)))
}

// mutable is the projection of a name. The graph itself is none.
func (p *projections) mutable(graph, name string) (store.Projection, error) {
	of, known := p.find(graph, name)
	if !known {
		return of, fault.Met(fault.ArgumentError, "InvalidArgumentValue",
			"%s is the graph itself, and no projection: CALL gds.graph.project('name', '*', '*') makes one; write keeps results in the graph",
			name)
	}
	return of, nil
}

// added are columns of a result as properties, under their names.
func added(ctx context.Context, g procedure.Graph, result Result, columns []algorithms.Values) (
	all []store.AddedProperty, err error) {
	vertices := make([]uint32, columns[0].Vertices())
	for i := range vertices {
		vertices[i] = uint32(result.Node(i))
	}
	for _, column := range columns {
		a := store.AddedProperty{Numbers: g.Numbers(), Vertices: vertices}
		a.Name = column.Name
		for node := range vertices {
			v, err := result.Value(ctx, column, node)
			if err != nil {
				return nil, err
			}
			a.Values = append(a.Values, v)
		}
		all = append(all, a)
	}
	return all, nil
}

// addedBytes is the memory that a property takes.
func addedBytes(a store.AddedProperty) int64 {
	bytes := 4 * int64(len(a.Vertices))
	for _, v := range a.Values {
		bytes += v.Size()
	}
	return bytes
}

// mutate adds properties to a projection, in the place of others with their names.
func (p *projections) mutate(graph, name string, added []store.AddedProperty) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.named[graph][name]
	if !known {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "projection %s has been dropped meanwhile", name)
	}
	of.Added = slices.Clone(of.Added)
	for _, a := range added {
		of.bytes += addedBytes(a)
		same := func(old store.AddedProperty) bool { return old.Name == a.Name }
		if i := slices.IndexFunc(of.Added, same); i >= 0 {
			of.bytes -= addedBytes(of.Added[i])
			of.Added = slices.Delete(of.Added, i, i+1)
		}
		of.Added = append(of.Added, a)
	}
	return p.set(graph, name, of)
}
