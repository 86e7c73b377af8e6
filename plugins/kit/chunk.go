package kit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// Chunk is one that was uploaded, read where it lies.
type Chunk struct {
	*chunk.Chunk
	Number   uint32 // the host's, within the run
	Identity Identity
	Bytes    uint64      // of the budget: it, and the Weights that are converted
	Weights  [][]float64 // of each edge column that the program reads; nil until a session has charged Bytes
}

// OpenChunk opens what an Upload brings, without the edge columns that are not wanted, and sees that it belongs
// here. Its edges are to be validated (Known). The caller releases it.
func OpenChunk(job plugins.Job, command plugins.Command, wanted []chunk.Direction, edgeColumns []string) (*Chunk,
	error) {
	buf, err := job.Chunk(command)
	if err != nil {
		return nil, err
	}
	view, err := project(buf, edgeColumns)
	if err != nil {
		return nil, err
	}
	c := &Chunk{Chunk: view, Number: command.Chunk, Identity: identify(command, buf, edgeColumns),
		Bytes: uint64(view.EncodedSize())}
	if err := errors.Join(c.belongs(job.Graph, wanted), c.countColumns(edgeColumns)); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

func project(buf []byte, edgeColumns []string) (*chunk.Chunk, error) {
	c, err := chunk.OpenUnaligned(buf)
	if err != nil {
		return nil, err
	}
	defer c.Release()
	return c.Project(edgeColumns...)
}

func (c *Chunk) belongs(graph plugins.Graph, wanted []chunk.Direction) error {
	m := c.Meta()
	if !slices.Contains(wanted, m.Direction) {
		return errors.New("its lists are of direction " + m.Direction.String() + ", which the plan did not ask for")
	}
	if m.Rows.End() > graph.Vertices || m.Cols.End() > graph.Vertices {
		return errors.New("its intervals exceed the graph's vertices")
	}
	return nil
}

// countColumns adds what the columns take that are converted.
func (c *Chunk) countColumns(names []string) error {
	for _, name := range names {
		values, _ := c.Column(name)
		if !numeric(values.DataType()) {
			return fmt.Errorf("edge column %q is a %s, not a number", name, values.DataType())
		}
		if values.DataType().ID() != arrow.FLOAT64 || values.NullN() > 0 {
			c.Bytes += 8 * uint64(c.Edges())
		}
	}
	return nil
}

func numeric(t arrow.DataType) bool {
	return arrow.IsInteger(t.ID()) || t.ID() == arrow.FLOAT32 || t.ID() == arrow.FLOAT64
}

// convert finds the Weights, once the budget has agreed to Bytes.
func (c *Chunk) convert(names []string) {
	for _, name := range names {
		values, _ := c.Float64s(name)
		c.Weights = append(c.Weights, values)
	}
}

// validate looks at every row and edge: by each of the chunk's checks, which runner runs, or one after the other
// where that is nil.
func (c *Chunk) validate(ctx context.Context, runner validator) error {
	if runner == nil {
		return c.Validate()
	}
	checks := c.Checks()
	found := make([]error, len(checks))
	if err := runner(ctx, len(checks), func(i int) { found[i] = checks[i]() }); err != nil {
		return err
	}
	for _, err := range found {
		if err != nil {
			return err
		}
	}
	return nil
}

// Vertex is the graph's number of a row's vertex.
func (c *Chunk) Vertex(row int) uint64 {
	base := c.Meta().Rows.Base
	if vertices := c.Vertices(); vertices != nil {
		return base + uint64(vertices[row])
	}
	return base + uint64(row)
}
