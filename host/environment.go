package host

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// environment is what an algorithm's parameters are checked against.
func (r *run) environment() algorithms.Env {
	return algorithms.Env{
		Directed:    r.snap.Manifest().Directed,
		EdgeColumns: r.numericEdgeColumns(),
		Vertex:      r.vertexID,
	}
}

// numericTypes are the Arrow types that a chunk gives as float64.
var numericTypes = []string{"float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"}

func (r *run) numericEdgeColumns() []string {
	var names []string
	for _, p := range r.snap.Manifest().EdgeProperties {
		if slices.Contains(numericTypes, p.Type) {
			names = append(names, p.Name)
		}
	}
	return names
}

// vertexID is the `id`, as programs see it, of the vertex that a user names.
func (r *run) vertexID(user string) (int64, error) {
	dense, err := r.snap.Vertex(r.ctx, user)
	if err != nil {
		return 0, err
	}
	return r.snap.ID(r.ctx, dense)
}
