package bench

import (
	"context"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/store"
)

// session is the CPU device in this process, with the graph in its arena.
type session struct {
	snapshot *store.Snapshot
	graph    *store.Manifest
	arena    *arena.Arena
	region   *arena.Region
	task     plugins.Task
	session  plugins.Session
	plan     plugins.Plan
	uploads  []plugins.Command

	edgeColumns []string // that the task reads
}

// inProcess runs k once: seconds in its kernels, as the plugin would tell them.
func (g *graph) inProcess(ctx context.Context, k kernel, o Options) ([]sample, error) {
	var seconds float64
	err := g.withSnapshot(k.graph(), func(snapshot *store.Snapshot) error {
		s, err := open(ctx, snapshot, k, o.Threads)
		if err != nil {
			return err
		}
		defer s.arena.Close()
		defer s.session.Close()
		seconds, err = s.run(ctx)
		return err
	})
	return []sample{{way: inProcess, seconds: seconds}}, err
}

func (s *session) run(ctx context.Context) (seconds float64, err error) {
	commands := make(chan plugins.Command, len(s.uploads)+2)
	for _, c := range append(s.uploads, s.computation()...) {
		commands <- c
	}
	close(commands)
	err = s.session.Execute(ctx, commands, func(e plugins.Event) {
		if e.Done {
			seconds += e.Compute.Seconds()
		}
	})
	return seconds, err
}

// computation is what follows the uploads.
func (s *session) computation() []plugins.Command {
	if s.task.Program == nil {
		return []plugins.Command{{Op: plugins.Call}}
	}
	return []plugins.Command{{Op: plugins.Init}, {Op: plugins.Iterate}}
}

func open(ctx context.Context, snapshot *store.Snapshot, k kernel, threads int) (*session, error) {
	algorithm, err := algorithms.Lookup(k.algorithm)
	if err != nil {
		return nil, err
	}
	s := &session{snapshot: snapshot, graph: snapshot.Manifest()}
	columns, err := s.bind(algorithm, k)
	if err != nil {
		return nil, err
	}
	size := s.graph.Vertices*8*uint64(len(columns)+1) + 1<<20
	for _, info := range s.allChunks(chunk.Out, chunk.In) {
		chunkSize, err := snapshot.ChunkSize(info, s.edgeColumns)
		if err != nil {
			return nil, err
		}
		size += uint64(chunkSize) + arena.Align
	}
	if s.arena, err = arena.Create(size); err != nil {
		return nil, err
	}
	s.region = arena.NewRegion(size)
	if err := s.fill(ctx, columns, threads); err != nil {
		s.arena.Close()
		return nil, err
	}
	return s, nil
}

// allChunks are those of all directions; an undirected graph has the same in each.
func (s *session) allChunks(directions ...chunk.Direction) (all []store.ChunkInfo) {
	for i, d := range directions {
		if i == 0 || s.graph.Directed {
			all = append(all, s.snapshot.Chunks(d)...)
		}
	}
	return all
}

// bind makes the task, without its layout, and names the vertex columns.
func (s *session) bind(a *algorithms.Algorithm, k kernel) ([]algorithms.Column, error) {
	var numeric []string
	for _, p := range s.graph.EdgeProperties {
		numeric = append(numeric, p.Name)
	}
	args, err := a.Bind(k.params, algorithms.Env{
		EdgeColumns: numeric,
		Vertex:      func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) },
	})
	if err != nil {
		return nil, err
	}
	if a.Procedure != nil {
		s.task = plugins.Task{Procedure: a.Name, Args: args}
		if a.Procedure.EdgeColumns != nil {
			s.edgeColumns = a.Procedure.EdgeColumns(args)
		}
		degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		return append([]algorithms.Column{degree("id"), degree("out_degree"), degree("in_degree")}, a.Result...), nil
	}
	if s.task.Program, err = a.Program(args); err != nil {
		return nil, err
	}
	if k.plain {
		plainly(s.task.Program)
		s.task.ActiveRows = true
	}
	err = algorithms.Check(s.task.Program, numeric)
	s.edgeColumns = s.task.Program.EdgeColumns
	return algorithms.VertexColumns(s.task.Program), err
}

// fill lays out the arena, opens the session, and reads columns and chunks into place.
func (s *session) fill(ctx context.Context, columns []algorithms.Column, threads int) error {
	var err error
	if s.task.Layout.Active, err = s.region.Alloc((s.graph.Vertices + 63) / 64 * 8); err != nil {
		return err
	}
	for _, c := range columns {
		if err := s.fillColumn(ctx, c); err != nil {
			return err
		}
	}
	job := plugins.Job{Arena: s.arena, Threads: threads, Graph: plugins.Graph{
		Name: s.graph.Graph, Vertices: s.graph.Vertices, Edges: s.graph.Edges, Directed: s.graph.Directed}}
	if s.session, err = cpu.New(cpu.Options{}).Open(ctx, job); err != nil {
		return err
	}
	if s.plan, err = s.session.Compile(ctx, s.task); err != nil {
		return err
	}
	for _, info := range s.allChunks(s.plan.Directions...) {
		if err := s.read(ctx, info); err != nil {
			return err
		}
	}
	return nil
}

// read puts a chunk into the arena.
func (s *session) read(ctx context.Context, info store.ChunkInfo) error {
	size, err := s.snapshot.ChunkSize(info, s.edgeColumns)
	if err != nil {
		return err
	}
	at, err := s.region.Alloc(uint64(size))
	if err != nil {
		return err
	}
	buf, err := s.arena.Bytes(at)
	if err != nil {
		return err
	}
	n, err := s.snapshot.ReadChunk(ctx, info, s.edgeColumns, buf)
	at.Length = uint64(n)
	s.uploads = append(s.uploads, plugins.Command{Op: plugins.Upload, Chunk: uint32(len(s.uploads)), At: at})
	return err
}

func (s *session) fillColumn(ctx context.Context, c algorithms.Column) error {
	at, err := s.region.Alloc(8 * s.graph.Vertices)
	if err != nil {
		return err
	}
	s.task.Layout.Columns = append(s.task.Layout.Columns, plugins.VertexColumn{Column: c, Range: at})
	values, err := s.arena.Int64s(at)
	if err != nil {
		return err
	}
	switch c.Name {
	case "id":
		return s.snapshot.FillIDs(ctx, values)
	case "out_degree":
		return s.snapshot.FillDegrees(ctx, chunk.Out, values)
	case "in_degree":
		return s.snapshot.FillDegrees(ctx, chunk.In, values)
	}
	return nil
}
