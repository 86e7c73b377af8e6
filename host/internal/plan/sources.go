package plan

import (
	"context"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// SourceName is what the constant is called that a run from several sources changes.
const SourceName = "source"

// withSource is r from the first of its sources, if it has any.
func (r Request) withSource() (Request, error) {
	if len(r.Sources) == 0 {
		return r, nil
	}
	if _, given := r.Params[SourceName]; given {
		return r, &RequestError{"give sources, or the parameter source, not both"}
	}
	r.Params = maps.Clone(r.Params)
	if r.Params == nil {
		r.Params = map[string]string{}
	}
	r.Params[SourceName] = r.Sources[0]
	return r, nil
}

// startAt is a copy of the program whose constant source names the first source, if there are any.
func (r Request) startAt(ctx context.Context, v Vertices, p algorithms.Program) (algorithms.Program, error) {
	if len(r.Sources) == 0 {
		return p, nil
	}
	p.Constants = slices.Clone(p.Constants)
	i := slices.IndexFunc(p.Constants, IsSource)
	if i < 0 {
		return p, &RequestError{r.Title() + " has no constant source that names a vertex, and so no sources"}
	}
	var err error
	p.Constants[i].Int, err = VertexID(ctx, v, r.Sources[0])
	return p, err
}

// IsSource tells whether a constant of a program names the vertex that it starts at.
func IsSource(c algorithms.Constant) bool {
	return c.Name == SourceName && c.Type == algorithms.VertexID
}

// FromSources is the computation from the first sources of the request, as many as there are ids, each in a lane of its
// own; from one source it is a computation as any other.
func (c Computation) FromSources(ids []int64) Computation {
	if len(c.Request.Sources) == 0 {
		return c
	}
	c.Sources, c.Task.Lanes = c.Request.Sources[:max(len(ids), 1)], nil
	if len(ids) < 2 {
		return c
	}
	for _, id := range ids {
		c.Task.Lanes = append(c.Task.Lanes, []algorithms.Constant{{Name: SourceName, Type: algorithms.VertexID, Int: id}})
	}
	return c
}
