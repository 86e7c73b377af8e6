package supply

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
)

// MissingValueError says that some edges lack a property that the run reads. Computing
// with them would give NaN. The run ends before a device sees the chunk.
type MissingValueError struct {
	Graph, Property string
	Missing, Edges  int    // of the edges of one chunk, so many lack it
	Source, Target  string // user ids of the first edge that lacks it
	Types           bool   // the graph has several relationship types, which may be why
}

func (e *MissingValueError) Error() string {
	otherwise := ""
	if e.Types {
		otherwise = ", or run on the relationships of types that have it (--types, relationshipTypes)"
	}
	return fmt.Sprintf(
		"property %q of graph %s has no number for %d of %d edges looked at, the first being %s → %s: choose a property that every edge has%s",
		e.Property, e.Graph, e.Missing, e.Edges, e.Source, e.Target, otherwise)
}

// complete refuses an encoded chunk in which an edge column lacks values: a device would
// read each as NaN. What a device is given so has no nulls.
func (s *Supply) complete(ctx context.Context, encoded []byte) error {
	if len(s.columns) == 0 {
		return nil
	}
	c, err := chunk.Open(encoded)
	if err != nil {
		return err
	}
	defer c.Release()
	for _, name := range s.columns {
		values, _ := c.Column(name) // the chunk has been projected to these
		if missing, first := missingValues(values); missing > 0 {
			return s.missing(ctx, c, name, missing, first)
		}
	}
	return nil
}

// lacksNothing tells whether every edge of a chunk, which has been projected to the edge
// columns of the task, has a value in each.
func (s *Supply) lacksNothing(c *chunk.Chunk) bool {
	return !slices.ContainsFunc(s.columns, func(name string) bool {
		values, _ := c.Column(name)
		missing, _ := missingValues(values)
		return missing > 0
	})
}

// missingValues counts nulls and NaNs, and finds the first. It is done each time a chunk
// is read: the usual answer, none, costs one pass over the values of float columns.
func missingValues(values arrow.Array) (missing, first int) {
	absent := values.IsNull
	var floats []float64
	if a, ok := values.(*array.Float64); ok {
		floats = a.Float64Values()
		absent = func(i int) bool { return a.IsNull(i) || math.IsNaN(floats[i]) }
	}
	if values.NullN() == 0 && !slices.ContainsFunc(floats, math.IsNaN) {
		return 0, 0
	}
	for i := values.Len() - 1; i >= 0; i-- {
		if absent(i) {
			missing, first = missing+1, i
		}
	}
	return missing, first
}

// missing names the edge at this position of the chunk.
func (s *Supply) missing(ctx context.Context, c *chunk.Chunk, property string, missing, edge int) error {
	m, meta := s.snap.Manifest(), c.Meta()
	row := sort.Search(c.Rows(), func(row int) bool { return int(c.Offsets()[row+1]) > edge })
	ends := []uint64{meta.Rows.Base + uint64(row), meta.Cols.Base + uint64(c.Neighbors()[edge])}
	if vertices := c.Vertices(); vertices != nil {
		ends[0] = meta.Rows.Base + uint64(vertices[row])
	}
	if meta.Direction == chunk.In {
		slices.Reverse(ends) // rows are targets
	}
	e := &MissingValueError{Graph: m.Graph, Property: property, Missing: missing, Edges: c.Edges(),
		Types: len(m.Types) > 1}
	for i, name := range []*string{&e.Source, &e.Target} {
		ids, err := s.snap.UserIDs(ctx, ends[i], ends[i]+1)
		if err != nil {
			return err
		}
		*name = ids.Text(0)
	}
	return e
}
