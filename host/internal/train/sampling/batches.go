package sampling

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/algorithms/neural/sample"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Rows are the rows of all vertices of inputs.
type Rows interface {
	// Gather reads the rows of some vertices, one after the other; of sparse ones to where Offsets say.
	Gather(name string, width int, vertices []uint32, to grid.Rows) error
	// Row is how many numbers a vertex has of an input that is sparse.
	Row(name string, v uint32) int64
}

// Batches makes batches, and brings them to the arena.
type Batches struct {
	Sampler sample.Sampler
	Files   uint64               // bytes of temporary files
	Rows    Rows                 // of features
	Columns map[string][]float32 // of inputs, of all vertices; of those that vary, as of when a batch is brought
	Sends   []uint32             // of each vertex, to how many it sends

	places []place // of each device
	close  func()
	memory [2]Batch // one is brought while the next is made
}

// place is where what a device gets of a batch lies in the arena.
type place struct {
	inputs []input
	ends   [2]lists // by dataflow.End
	rows   []uint32 // of a portion
}

// input is one of a batch, where it lies in the arena.
type input struct {
	name   string
	width  int
	varies bool // it is gathered when a batch is brought, or written then
	grid.Rows
}

// lists are those of a batch, where they lie in the arena.
type lists struct {
	offsets    []int64
	others     []uint32
	properties [][]float64
}

// Open finds the places of batches in the arena: of each device, by its network. Lists are closed with the batches.
func (b *Batches) Open(memory *arena.Arena, networks []*plugins.Network, close func()) error {
	b.close = close
	for _, network := range networks {
		at, err := open(memory, network)
		if err != nil {
			return err
		}
		b.places = append(b.places, at)
	}
	return nil
}

// open finds the place of a device.
func open(memory *arena.Arena, network *plugins.Network) (p place, err error) {
	for _, t := range network.Batch.Inputs {
		in := input{name: t.Name}
		for _, v := range network.Values {
			if v.Op == dataflow.Input && v.Name == t.Name {
				in.width, in.varies = v.Width, v.Varies
			}
		}
		if in.Numbers, err = memory.Float32s(t.Numbers); err == nil && t.Offsets != (arena.Range{}) {
			if in.Offsets, err = memory.Int64s(t.Offsets); err == nil {
				in.Columns, err = memory.Uint32s(t.Columns)
			}
		}
		if err != nil {
			return p, err
		}
		p.inputs = append(p.inputs, in)
	}
	for end, at := range network.Batch.Lists {
		to := &p.ends[end]
		if to.offsets, err = memory.Int64s(at.Offsets); err == nil {
			to.others, err = memory.Uint32s(at.Others)
		}
		for _, property := range at.Properties {
			numbers, failed := memory.Float64s(property)
			if to.properties = append(to.properties, numbers); failed != nil {
				err = failed
			}
		}
		if err != nil {
			return p, err
		}
	}
	p.rows, err = memory.Uint32s(network.Batch.Rows)
	return p, err
}

// Close gives up what batches are made of.
func (b *Batches) Close() {
	if b.close != nil {
		b.close()
	}
}

// Batch is a sampled graph, in memory of the host.
type Batch struct {
	Graph    sample.Graph
	Portions []Portion // of each device, in the order of the seeds
}

// Portion is what a device gets of a batch, with its rows.
type Portion struct {
	*sample.Graph
	First   int // of the batch's seeds
	reverse lists
	rows    []grid.Rows // as inputs
}

// Stage samples the neighborhood of some vertices, divides it among the devices, and gathers rows.
func (b *Batches) Stage(ctx context.Context, epoch int, seeds []uint32, to *Batch) error {
	if err := b.Sampler.Cut(ctx, epoch, seeds, &to.Graph); err != nil {
		return err
	}
	if len(to.Portions) == 0 {
		to.Portions = make([]Portion, len(b.places))
	}
	for k := range to.Portions {
		p, n := &to.Portions[k], len(to.Portions)
		if n == 1 {
			p.Graph = &to.Graph
		} else {
			if p.Graph == nil {
				p.Graph = new(sample.Graph)
			}
			p.First = k * len(seeds) / n
			to.Graph.Portion(p.First, (k+1)*len(seeds)/n, len(b.Sampler.Fanouts), p.Graph)
		}
		if err := b.fill(p, len(seeds), b.places[k].inputs); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the lists of a portion by their sources, and its rows. The batch has so many seeds.
func (b *Batches) fill(p *Portion, seeds int, inputs []input) error {
	g, r := p.Graph, &p.reverse
	r.offsets, r.others = sized(r.offsets, len(g.Offsets)), sized(r.others, g.Edges())
	for len(r.properties) < len(g.Properties) {
		r.properties = append(r.properties, nil)
	}
	for i := range r.properties {
		r.properties[i] = sized(r.properties[i], g.Edges())
	}
	g.Reverse(r.offsets, r.others, r.properties)
	for len(p.rows) < len(inputs) {
		p.rows = append(p.rows, grid.Rows{})
	}
	for i, in := range inputs {
		if err := b.gather(in, g, seeds, &p.rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// sized is memory for n elements, whatever they are.
func sized[T any](x []T, n int) []T { return slices.Grow(x[:0], n)[:n] }

// gather makes the rows of an input for the vertices of a graph, by which so many seeds are learned from.
func (b *Batches) gather(in input, g *sample.Graph, seeds int, rows *grid.Rows) error {
	n := len(g.Vertices)
	if in.Offsets != nil {
		rows.Offsets = sized(rows.Offsets, n+1)
		rows.Offsets[0] = 0
		for i, v := range g.Vertices {
			rows.Offsets[i+1] = rows.Offsets[i] + b.Rows.Row(in.name, v)
		}
		entries := int(rows.Offsets[n])
		rows.Numbers, rows.Columns = sized(rows.Numbers, entries), sized(rows.Columns, entries)
		return b.Rows.Gather(in.name, in.width, g.Vertices, *rows)
	}
	if in.varies {
		return nil
	}
	rows.Numbers = sized(rows.Numbers, n*in.width)
	switch in.name {
	case neural.InputFeatures:
		return b.Rows.Gather(in.name, in.width, g.Vertices, *rows)
	case neural.InputWeight:
		clear(rows.Numbers)
		for i := range g.Seeds {
			rows.Numbers[i] = 1 / float32(seeds)
		}
	case neural.InputInDegree:
		copy(rows.Numbers, g.Degrees)
	case neural.InputPerSample:
		copy(rows.Numbers, g.PerSample)
	case neural.InputOutDegree:
		for i, v := range g.Vertices {
			rows.Numbers[i] = float32(b.Sends[v])
		}
	default:
		in.pick(b.Columns[in.name], g.Vertices, rows.Numbers)
	}
	return nil
}

// pick takes the rows of some vertices out of those of all.
func (in *input) pick(column []float32, vertices []uint32, to []float32) {
	for i, v := range vertices {
		copy(to[i*in.width:(i+1)*in.width], column[int(v)*in.width:])
	}
}

// Bring copies what a device gets of a batch to the arena, and tells how many bytes that are.
func (b *Batches) Bring(device int, from *Portion) (bytes uint64) {
	g, to := from.Graph, &b.places[device]
	ends := [2]lists{dataflow.AtTarget: {g.Offsets, g.Others, g.Properties}, dataflow.AtSource: from.reverse}
	for end, to := range to.ends {
		bytes += 8*uint64(copy(to.offsets, ends[end].offsets)) + 4*uint64(copy(to.others, ends[end].others))
		for i := range to.properties {
			bytes += 8 * uint64(copy(to.properties[i], ends[end].properties[i]))
		}
	}
	bytes += 4 * uint64(copy(to.rows, g.Rows))
	for i, in := range to.inputs {
		rows := from.rows[i]
		if column := b.Columns[in.name]; in.varies && column != nil {
			in.pick(column, g.Vertices, in.Numbers)
			bytes += 4 * uint64(len(g.Vertices)*in.width)
			continue
		}
		bytes += 4 * uint64(copy(in.Numbers, rows.Numbers))
		if in.Offsets != nil {
			bytes += 8*uint64(copy(in.Offsets, rows.Offsets)) + 4*uint64(copy(in.Columns, rows.Columns))
		}
	}
	return bytes
}

// Write gives an input that varies the rows of what a device has got of a batch: those of its seeds, and 0 for the
// others. It tells how many bytes that are.
func (b *Batches) Write(name string, device int, of *Portion, rows []float32) (bytes uint64) {
	for _, in := range b.places[device].inputs {
		if in.name == name {
			all := in.Numbers[:len(of.Vertices)*in.width]
			clear(all[copy(all, rows):])
			bytes += 4 * uint64(len(all))
		}
	}
	return bytes
}
