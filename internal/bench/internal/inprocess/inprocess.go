// Package inprocess runs a kernel by the CPU device in this process.
package inprocess

import (
	"context"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/store"
)

// Session is the CPU device in this process, with the graph in its arena.
type Session struct {
	Snapshot *store.Snapshot
	Graph    *store.Manifest
	Arena    *arena.Arena
	region   *arena.Region
	Task     plugins.Task
	Session  plugins.Session
	Plan     plugins.Plan
	Uploads  []plugins.Command

	edgeColumns []string // that the task reads
}

// InProcess runs k once: seconds in its kernels, as the plugin would tell them.
func InProcess(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) ([]measure.Sample, error) {
	var seconds float64
	err := g.WithSnapshot(k.Graph(), func(snapshot *store.Snapshot) error {
		s, err := Open(ctx, snapshot, k, o.Threads)
		if err != nil {
			return err
		}
		defer s.Arena.Close()
		defer s.Session.Close()
		seconds, err = s.run(ctx)
		return err
	})
	return []measure.Sample{{Way: measure.InProcess, Seconds: seconds}}, err
}

func (s *Session) run(ctx context.Context) (seconds float64, err error) {
	commands := make(chan plugins.Command, len(s.Uploads)+2)
	for _, c := range append(s.Uploads, s.computation()...) {
		commands <- c
	}
	close(commands)
	err = s.Session.Execute(ctx, commands, func(e plugins.Event) {
		if e.Done {
			seconds += e.Compute.Seconds()
		}
	})
	return seconds, err
}

// computation is what follows the uploads.
func (s *Session) computation() []plugins.Command {
	if s.Task.Program == nil {
		return []plugins.Command{{Op: plugins.Call}}
	}
	return []plugins.Command{{Op: plugins.Init}, {Op: plugins.Iterate}}
}

func Open(ctx context.Context, snapshot *store.Snapshot, k kernel.Kernel, threads int) (*Session, error) {
	algorithm, err := catalog.Lookup(k.Algorithm)
	if err != nil {
		return nil, err
	}
	s := &Session{Snapshot: snapshot, Graph: snapshot.Manifest()}
	columns, err := s.bind(algorithm, k)
	if err != nil {
		return nil, err
	}
	size := s.Graph.Vertices*8*uint64(len(columns)+1) + 1<<20
	for _, info := range s.allChunks(chunk.Out, chunk.In) {
		chunkSize, err := snapshot.ChunkSize(info, s.edgeColumns)
		if err != nil {
			return nil, err
		}
		size += uint64(chunkSize) + arena.Align
	}
	if s.Arena, err = arena.Create(size); err != nil {
		return nil, err
	}
	s.region = arena.NewRegion(size)
	if err := s.fill(ctx, columns, threads); err != nil {
		s.Arena.Close()
		return nil, err
	}
	return s, nil
}

// allChunks are those of all directions; an undirected graph has the same in each.
func (s *Session) allChunks(directions ...chunk.Direction) (all []store.ChunkInfo) {
	for i, d := range directions {
		if i == 0 || s.Graph.Directed {
			all = append(all, s.Snapshot.Chunks(d)...)
		}
	}
	return all
}

// bind makes the task, without its layout, and names the vertex columns.
func (s *Session) bind(a *algorithms.Algorithm, k kernel.Kernel) ([]algorithms.Column, error) {
	var numeric []string
	for _, p := range s.Graph.EdgeProperties {
		numeric = append(numeric, p.Name)
	}
	args, err := a.Bind(k.Params, algorithms.Env{
		EdgeColumns: numeric,
		Vertex:      func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) },
	})
	if err != nil {
		return nil, err
	}
	if a.Procedure != nil {
		s.Task = plugins.Task{Procedure: a.Name, Args: args}
		if a.Procedure.EdgeColumns != nil {
			s.edgeColumns = a.Procedure.EdgeColumns(args)
		}
		degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		return append([]algorithms.Column{degree("id"), degree("out_degree"), degree("in_degree")}, a.Columns(args)...), nil
	}
	if s.Task.Program, err = a.Program(args); err != nil {
		return nil, err
	}
	if k.Plain {
		kernel.Plainly(s.Task.Program)
		s.Task.ActiveRows = true
	}
	err = algorithms.Check(s.Task.Program, numeric)
	s.edgeColumns = s.Task.Program.EdgeColumns
	return algorithms.VertexColumns(s.Task.Program), err
}

// fill lays out the arena, opens the session, and reads columns and chunks into place.
func (s *Session) fill(ctx context.Context, columns []algorithms.Column, threads int) error {
	var err error
	if s.Task.Layout.Active, err = s.region.Alloc((s.Graph.Vertices + 63) / 64 * 8); err != nil {
		return err
	}
	for _, c := range columns {
		if err := s.fillColumn(ctx, c); err != nil {
			return err
		}
	}
	job := plugins.Job{Arena: s.Arena, Threads: threads, Graph: plugins.Graph{
		Name: s.Graph.Graph, Vertices: s.Graph.Vertices, Edges: s.Graph.Edges, Directed: s.Graph.Directed}}
	if s.Session, err = cpu.New(cpu.Options{}).Open(ctx, job); err != nil {
		return err
	}
	if s.Plan, err = s.Session.Compile(ctx, s.Task); err != nil {
		return err
	}
	for _, info := range s.allChunks(s.Plan.Directions...) {
		if err := s.read(ctx, info); err != nil {
			return err
		}
	}
	return nil
}

// read puts a chunk into the arena.
func (s *Session) read(ctx context.Context, info store.ChunkInfo) error {
	size, err := s.Snapshot.ChunkSize(info, s.edgeColumns)
	if err != nil {
		return err
	}
	at, err := s.region.Alloc(uint64(size))
	if err != nil {
		return err
	}
	buf, err := s.Arena.Bytes(at)
	if err != nil {
		return err
	}
	n, err := s.Snapshot.ReadChunk(ctx, info, s.edgeColumns, buf)
	at.Length = uint64(n)
	s.Uploads = append(s.Uploads, plugins.Command{Op: plugins.Upload, Chunk: uint32(len(s.Uploads)), At: at})
	return err
}

func (s *Session) fillColumn(ctx context.Context, c algorithms.Column) error {
	at, err := s.region.Alloc(8 * c.Count(s.Graph.Vertices))
	if err != nil {
		return err
	}
	s.Task.Layout.Columns = append(s.Task.Layout.Columns, plugins.VertexColumn{Column: c, Range: at})
	values, err := s.Arena.Int64s(at)
	if err != nil {
		return err
	}
	switch c.Name {
	case "id":
		return s.Snapshot.FillIDs(ctx, values)
	case "out_degree":
		return s.Snapshot.FillDegrees(ctx, chunk.Out, values)
	case "in_degree":
		return s.Snapshot.FillDegrees(ctx, chunk.In, values)
	}
	return nil
}
