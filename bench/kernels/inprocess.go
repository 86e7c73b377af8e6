package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// session is the CPU device in this process, with the graph in its arena.
type session struct {
	arena   *arena.Arena
	region  *arena.Region
	task    plugins.Task
	result  algorithms.Column
	session plugins.Session
	uploads []plugins.Command
}

// inProcess runs k once: seconds in its kernels, as the plugin would tell them, and its
// first result column.
func (g *graph) inProcess(ctx context.Context, k kernel, threads int) (float64, algorithms.Values, error) {
	s, err := g.open(ctx, k, threads)
	if err != nil {
		return 0, algorithms.Values{}, err
	}
	defer s.arena.Close()
	defer s.session.Close()
	var seconds float64
	commands := make(chan plugins.Command, len(s.uploads)+2)
	for _, c := range append(s.uploads, s.computation()...) {
		commands <- c
	}
	close(commands)
	err = s.session.Execute(ctx, commands, func(e plugins.Event) {
		if e.Done && e.Seq != 0 {
			seconds += e.Compute.Seconds()
		}
	})
	if err != nil {
		return 0, algorithms.Values{}, err
	}
	return seconds, s.values(), nil
}

// computation is what follows the uploads; uploads alone have Seq 0.
func (s *session) computation() []plugins.Command {
	if s.task.Program == nil {
		return []plugins.Command{{Seq: 1, Op: plugins.Call}}
	}
	return []plugins.Command{{Seq: 1, Op: plugins.Init}, {Seq: 2, Op: plugins.Iterate}}
}

func (g *graph) open(ctx context.Context, k kernel, threads int) (*session, error) {
	algorithm, err := algorithms.Lookup(k.algorithm)
	if err != nil {
		return nil, err
	}
	s := &session{result: algorithm.Result[0]}
	columns, err := s.bind(algorithm, k.params)
	if err != nil {
		return nil, err
	}
	size := g.vertices*8*uint64(len(columns)+1) + 1<<20
	for _, info := range g.snapshot.Chunks(chunk.Both) {
		size += uint64(info.Topology) + arena.Align
	}
	if s.arena, err = arena.Create(size); err != nil {
		return nil, err
	}
	s.region = arena.NewRegion(size)
	if err := g.fill(ctx, s, columns, threads); err != nil {
		s.arena.Close()
		return nil, err
	}
	return s, nil
}

// bind makes the task, without its layout, and names the vertex columns.
func (s *session) bind(a *algorithms.Algorithm, params map[string]string) ([]algorithms.Column, error) {
	args, err := a.Bind(params, algorithms.Env{Vertex: func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) }})
	if err != nil {
		return nil, err
	}
	if a.Procedure != nil {
		s.task = plugins.Task{Procedure: a.Name, Args: args}
		degree := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		return append([]algorithms.Column{degree("id"), degree("out_degree"), degree("in_degree")}, a.Result...), nil
	}
	if s.task.Program, err = a.Program(args); err != nil {
		return nil, err
	}
	err = algorithms.Check(s.task.Program, nil)
	return algorithms.VertexColumns(s.task.Program), err
}

// fill lays out the arena, opens the session, and reads columns and chunks into place.
func (g *graph) fill(ctx context.Context, s *session, columns []algorithms.Column, threads int) error {
	var err error
	if s.task.Layout.Active, err = s.region.Alloc((g.vertices + 63) / 64 * 8); err != nil {
		return err
	}
	for _, c := range columns {
		if err := g.fillColumn(ctx, s, c); err != nil {
			return err
		}
	}
	for _, info := range g.snapshot.Chunks(chunk.Both) {
		at, err := s.region.Alloc(uint64(info.Topology))
		if err != nil {
			return err
		}
		buf, err := s.arena.Bytes(at)
		if err != nil {
			return err
		}
		if _, err := g.snapshot.ReadChunk(ctx, info, nil, buf); err != nil {
			return err
		}
		s.uploads = append(s.uploads, plugins.Command{Op: plugins.Upload, Chunk: info.Number, At: at})
	}
	job := plugins.Job{Arena: s.arena, Threads: threads, Graph: plugins.Graph{Name: "g", Vertices: g.vertices, Edges: g.edges}}
	if s.session, err = cpu.New(cpu.Options{}).Open(ctx, job); err != nil {
		return err
	}
	_, err = s.session.Compile(ctx, s.task)
	return err
}

func (g *graph) fillColumn(ctx context.Context, s *session, c algorithms.Column) error {
	at, err := s.region.Alloc(8 * g.vertices)
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
		return g.snapshot.FillIDs(ctx, values)
	case "out_degree", "in_degree":
		return g.snapshot.FillDegrees(ctx, chunk.Both, values)
	}
	return nil
}

// values copies the result out of the arena.
func (s *session) values() algorithms.Values {
	v := algorithms.Values{Column: s.result}
	for _, c := range s.task.Layout.Columns {
		if c.Name != s.result.Name {
			continue
		}
		if c.Type == algorithms.Float {
			floats, _ := s.arena.Float64s(c.Range)
			v.Floats = slices.Clone(floats)
			continue
		}
		ints, _ := s.arena.Int64s(c.Range)
		v.Ints = slices.Clone(ints)
	}
	return v
}
