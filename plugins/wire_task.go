package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/plaintext"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

func descriptionToWire(d Description) *pb.DescribeResponse {
	return &pb.DescribeResponse{
		Name:          d.Name,
		Version:       d.Version,
		Hardware:      d.Hardware,
		Memory:        d.Memory,
		LinkBandwidth: d.LinkBandwidth,
		Threads:       uint32(d.Threads),
		Procedures:    d.Procedures,
		Programs:      d.Programs,
		Algorithms:    mapped(d.Algorithms, definitionToWire),
		MapsFiles:     d.MapsFiles,
		Lanes:         uint32(d.Lanes),
		Extensions:    mapped(d.Extensions, func(e Extension) string { return string(e) }),
	}
}

func descriptionFromWire(d *pb.DescribeResponse) Description {
	return Description{
		Name:          lineFromWire(d.GetName()),
		Version:       lineFromWire(d.GetVersion()),
		Hardware:      lineFromWire(d.GetHardware()),
		Memory:        d.GetMemory(),
		LinkBandwidth: d.GetLinkBandwidth(),
		Threads:       int(d.GetThreads()),
		Procedures:    d.GetProcedures(),
		Programs:      d.GetPrograms(),
		Algorithms:    mapped(d.GetAlgorithms(), definitionFromWire),
		MapsFiles:     d.GetMapsFiles(),
		Lanes:         int(d.GetLanes()),
		Extensions:    mapped(d.GetExtensions(), func(name string) Extension { return Extension(lineFromWire(name)) }),
	}
}

// lineFromWire is what a plugin says for people to read, in tables and in the middle of lines, whatever is in it.
func lineFromWire(text string) string {
	const most = 256
	return plaintext.Line(text, most)
}

func graphToWire(g Graph) *pb.Graph {
	return &pb.Graph{
		Name:     g.Name,
		Snapshot: g.Snapshot,
		Vertices: g.Vertices,
		Edges:    g.Edges,
		Directed: g.Directed,
		Linked:   g.Linked,
	}
}

func graphFromWire(g *pb.Graph) Graph {
	return Graph{
		Name:     g.GetName(),
		Snapshot: g.GetSnapshot(),
		Vertices: g.GetVertices(),
		Edges:    g.GetEdges(),
		Directed: g.GetDirected(),
		Linked:   g.GetLinked(),
	}
}

func taskToWire(t Task) *pb.Task {
	w := &pb.Task{
		Procedure:  t.Procedure,
		Settle:     t.Settle,
		ActiveRows: t.ActiveRows,
		Places:     t.Places,
		Restorable: t.Restorable,
		Part:       t.Part,
		Passes:     t.Passes,
		Nearest:    t.Nearest,
		Joins:      t.Joins,
		Intervals:  t.Intervals,
		Lanes:      mapped(t.Lanes, laneToWire),
		Args: &pb.Args{
			Floats:   t.Args.Floats,
			Ints:     t.Args.Ints,
			Strings:  t.Args.Strings,
			Directed: t.Args.Directed,
			N:        uint64(t.Args.N),
			M:        uint64(t.Args.M),
			Vertices: verticesToWire(t.Args.Vertices),
			Lists:    listsToWire(t.Args.Lists),
		},
		Layout: &pb.Layout{
			Columns: mapped(t.Layout.Columns, columnToWire),
			Active:  rangeToWire(t.Layout.Active),
			Rows:    mapped(t.Layout.Rows, rowsToWire),
		},
	}
	if t.Share != nil {
		w.Share = &pb.Interval{Base: t.Share.Base, Count: t.Share.Count}
	}
	w.Network = networkToWire(t.Network)
	if t.Program != nil {
		w.Program = programToWire(t.Program)
	}
	return w
}

func taskFromWire(w *pb.Task) (Task, error) {
	var d decoder
	args, layout := w.GetArgs(), w.GetLayout()
	t := Task{
		Procedure:  w.GetProcedure(),
		Settle:     w.GetSettle(),
		ActiveRows: w.GetActiveRows(),
		Places:     w.GetPlaces(),
		Restorable: w.GetRestorable(),
		Part:       w.GetPart(),
		Passes:     w.GetPasses(),
		Nearest:    w.GetNearest(),
		Joins:      w.GetJoins(),
		Intervals:  w.GetIntervals(),
		Lanes:      mapped(w.GetLanes(), d.lane),
		Args: algorithms.Args{
			Floats:   args.GetFloats(),
			Ints:     args.GetInts(),
			Strings:  args.GetStrings(),
			Directed: args.GetDirected(),
			N:        int(args.GetN()),
			M:        int(args.GetM()),
			Vertices: verticesFromWire(args.GetVertices()),
			Lists:    listsFromWire(args.GetLists()),
		},
		Layout: Layout{
			Columns: mapped(layout.GetColumns(), d.column),
			Active:  rangeFromWire(layout.GetActive()),
			Rows:    mapped(layout.GetRows(), rowsFromWire),
		},
	}
	if share := w.GetShare(); share != nil {
		t.Share = &chunk.Interval{Base: share.GetBase(), Count: share.GetCount()}
	}
	if w.GetProgram() != nil {
		t.Program = programFromWire(&d, w.GetProgram())
	}
	t.Network = networkFromWire(&d, w.GetNetwork())
	return t, d.err
}

func laneToWire(constants []algorithms.Constant) *pb.Lane {
	return &pb.Lane{Constants: mapped(constants, constantToWire)}
}

func (d *decoder) lane(l *pb.Lane) []algorithms.Constant {
	return mapped(l.GetConstants(), d.constant)
}

func verticesToWire(lists map[string][]int64) map[string]*pb.Vertices {
	w := make(map[string]*pb.Vertices, len(lists))
	for name, ids := range lists {
		w[name] = &pb.Vertices{Ids: ids}
	}
	return w
}

func verticesFromWire(w map[string]*pb.Vertices) map[string][]int64 {
	lists := make(map[string][]int64, len(w))
	for name, vertices := range w {
		lists[name] = vertices.GetIds()
	}
	return lists
}

func listsToWire(lists map[string][]float64) map[string]*pb.Floats {
	w := make(map[string]*pb.Floats, len(lists))
	for name, values := range lists {
		w[name] = &pb.Floats{Values: values}
	}
	return w
}

func listsFromWire(w map[string]*pb.Floats) map[string][]float64 {
	lists := make(map[string][]float64, len(w))
	for name, values := range w {
		lists[name] = values.GetValues()
	}
	return lists
}

func columnToWire(c VertexColumn) *pb.VertexColumn {
	return &pb.VertexColumn{Name: c.Name, Type: enumToWire[pb.Type](c.Type), Range: rangeToWire(c.Range),
		Width: uint32(c.Each), Rows: uint64(c.Rows)}
}

func (d *decoder) column(c *pb.VertexColumn) VertexColumn {
	return VertexColumn{
		Column: algorithms.Column{Name: c.GetName(), Type: enumFromWire[algorithms.Type](d, c.GetType()),
			Each: int(c.GetWidth()), Rows: int(c.GetRows())},
		Range: rangeFromWire(c.GetRange()),
	}
}

func planToWire(p Plan) *pb.CompileResponse {
	return &pb.CompileResponse{
		Directions: mapped(p.Directions, enumToWire[pb.Direction, chunk.Direction]),
		Fixed:      p.Fixed,
		Kept:       p.Kept,
		Kernel:     p.Kernel,
		ActiveRows: p.ActiveRows,
		Settles:    p.Settles,
		Restores:   p.Restores,
		Shares:     p.Shares,
		Parts:      p.Parts,
		Selects:    p.Selects,
		Passes:     p.Passes,
		Nearest:    p.Nearest,
		Joins:      p.Joins,
		Learns:     p.Learns,
		Intervals:  p.Intervals,
		Networks:   p.Networks,
		Grid:       p.Grid,
		Batches:    p.Batches,
		Portions:   p.Portions,
		Halves:     p.Halves,
	}
}

func planFromWire(w *pb.CompileResponse) (Plan, error) {
	var d decoder
	direction := func(w pb.Direction) chunk.Direction { return enumFromWire[chunk.Direction](&d, w) }
	return Plan{
		Directions: mapped(w.GetDirections(), direction),
		Fixed:      w.GetFixed(),
		Kept:       w.GetKept(),
		Kernel:     lineFromWire(w.GetKernel()),
		ActiveRows: w.GetActiveRows(),
		Settles:    w.GetSettles(),
		Restores:   w.GetRestores(),
		Shares:     w.GetShares(),
		Parts:      w.GetParts(),
		Selects:    w.GetSelects(),
		Passes:     w.GetPasses(),
		Nearest:    w.GetNearest(),
		Joins:      w.GetJoins(),
		Learns:     w.GetLearns(),
		Intervals:  w.GetIntervals(),
		Networks:   w.GetNetworks(),
		Grid:       w.GetGrid(),
		Batches:    w.GetBatches(),
		Portions:   w.GetPortions(),
		Halves:     w.GetHalves(),
	}, d.err
}
