package plan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Computation is what is to be computed: a request that is bound to a graph, before any device is known.
type Computation struct {
	Request    Request // with defaults filled in
	Schedule   schedule.Schedule
	Task       plugins.Task // without a layout
	Edges      algorithms.Edges
	Columns    []algorithms.Column      // of the task: inputs, then state or results
	Results    []algorithms.Column      // what the caller gets
	Sources    []string                 // those of the request that one run sees to
	Properties []algorithms.VertexInput // vertex properties among the inputs
	Vectors    []algorithms.VectorInput // likewise, which are Rows
	Edgeless   bool                     // no chunk is read
	Rows       []algorithms.Rows        // of a procedure that learns
	Shape      algorithms.Shape         // of the results
	EdgeNames  []string                 // edge columns that chunks are projected to
	Parameters map[string]string
	Finish     func([]algorithms.Values) // makes the result of the last state; nil: it is that
	Diverged   string                    // of a procedure: what a cycle means
	Finite     bool                      // of a procedure: an infinity, or NaN, is no result
	// Topological: lists come in topological order, each once (nearest.go).
	Topological bool
}

// Bind resolves a request against the catalog of algorithms and a graph.
//
// Errors: those of algorithms.Bind and Check, *RequestError, *schedule.ParseError, *ScheduleError, *DevicesError,
// *SeveralTypesError.
func Bind(ctx context.Context, g Named, req Request) (c Computation, err error) {
	if c.Request, err = req.WithDefaults(); err != nil {
		return c, err
	}
	if c.Schedule, err = schedule.Parse(c.Request.Schedule); err != nil {
		return c, err
	}
	c.Parameters = map[string]string{}
	if c, err = c.bind(ctx, g); err != nil {
		return c, explained(err, g.Manifest())
	}
	if len(c.Request.Sources) > 0 && c.Task.Program == nil {
		return c, &RequestError{c.Request.Title() + " is a procedure, which runs once: name its source in its parameter, " +
			"or several with a comma in between, if it takes them"}
	}
	c.Sources = c.Request.Sources[:min(1, len(c.Request.Sources))]
	return c, checkProperty(g.Manifest(), c.Request, c.Results)
}

func (c Computation) bind(ctx context.Context, g Named) (Computation, error) {
	switch {
	case c.Request.Custom != nil:
		return c.bindCustom(ctx, g, *c.Request.Custom)
	case c.Request.Program != nil:
		program, err := c.Request.startAt(ctx, g, *c.Request.Program)
		if err != nil {
			return c, err
		}
		return c.withProgram(g, program, nil)
	}
	return c.bindAlgorithm(ctx, g)
}

func (c Computation) bindCustom(ctx context.Context, g Named, custom algorithms.Custom) (Computation, error) {
	custom.Params = c.Request.Params
	program, err := custom.Build(environment(ctx, g))
	if err != nil {
		return c, err
	}
	maps.Copy(c.Parameters, custom.Params)
	if c, err = c.withProgram(g, *program, nil); err != nil {
		return c, err
	}
	for i, in := range c.Properties {
		c.Properties[i].Missing = custom.Properties[in.Property]
	}
	if len(custom.Properties) > 0 {
		c.Parameters["property"] = texts(custom.Properties)
	}
	return c, nil
}

// texts says which properties a program is given, as NAME or NAME=MISSING.
func texts(properties map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if missing := properties[name]; missing != "" {
			name += "=" + missing
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

func (c Computation) bindAlgorithm(ctx context.Context, g Named) (Computation, error) {
	algorithm := c.Request.Procedure
	if algorithm == nil {
		var err error
		if algorithm, err = catalog.Lookup(c.Request.Algorithm); err != nil {
			return c, err
		}
	}
	var args algorithms.Args
	if c.Request.Args != nil {
		args = *c.Request.Args
		args.Directed, args.N = g.Manifest().Directed, int(g.Manifest().Vertices)
	} else {
		var err error
		if args, err = algorithm.Bind(c.Request.Params, environment(ctx, g)); err != nil {
			return c, err
		}
	}
	c.Request.Algorithm = algorithm.Name
	c.Parameters = effective(algorithm, c.Request.Params, args)
	if algorithm.Procedure != nil {
		return c.withProcedure(algorithm, args)
	}
	program, err := algorithm.Program(args)
	if err != nil {
		return c, err
	}
	c.Finish = algorithm.Finish
	return c.withProgram(g, *program, algorithm.Result)
}

// withProgram takes a copy of the program: Check fills it in, and the caller's stays as it is.
func (c Computation) withProgram(g Graph, p algorithms.Program, results []algorithms.Column) (Computation, error) {
	p.State, p.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := algorithms.Check(&p, numericEdgeColumns(g.Manifest())); err != nil {
		return c, err
	}
	c.Task = plugins.Task{Program: &p, Restorable: c.Request.Resume}
	c.Edges, c.EdgeNames = p.Edges, p.EdgeColumns
	c.Columns = algorithms.VertexColumns(&p)
	var err error
	if c.Properties, err = propertiesRead(c, g.Manifest()); err != nil {
		return c, err
	}
	if c.Results = results; results == nil {
		c.Results = c.Columns[len(c.Columns)-len(p.State):]
	}
	return c, nil
}

// propertiesRead are the vertex properties that a program reads, of those that it may. It fails with an
// *algorithms.ProgramError where the graph has no such numbers.
func propertiesRead(c Computation, m *store.Manifest) (all []algorithms.VertexInput, err error) {
	known := numericVertexColumns(m)
	for _, p := range c.Task.Program.Properties {
		if !slices.Contains(c.Columns, p.Column()) {
			continue
		}
		whole := algorithms.Column{Name: p.Name, Type: algorithms.Int}
		if p.Sums == "" && !slices.Contains(known, p.Column()) &&
			(p.Type != algorithms.Float || !slices.Contains(known, whole)) {
			return nil, &algorithms.ProgramError{Program: c.Task.Program.Name, Message: fmt.Sprintf(
				"graph %s has no vertex property %s that is read as a %s", m.Graph, p.Name, p.Type)}
		}
		all = append(all, algorithms.VertexInput{Column: p.Column(), Property: p.Name, Sums: p.Sums})
	}
	return all, nil
}

func (c Computation) withProcedure(a *algorithms.Algorithm, args algorithms.Args) (Computation, error) {
	if c.Request.Several() {
		return c, c.Request.CannotShare("it is a procedure, which needs all chunks on one device")
	}
	c.Task = plugins.Task{Procedure: a.Name, Args: args}
	if err := c.refuseStreaming(); err != nil {
		return c, err
	}
	c.Edges = a.Procedure.Edges
	if a.Procedure.EdgeColumns != nil {
		c.EdgeNames = a.Procedure.EdgeColumns(args)
	}
	if a.Procedure.Rows != nil {
		c.Rows = a.Procedure.Rows(args)
	}
	c.Vectors, c.Edgeless = a.VectorInputs(args), a.Procedure.Edgeless
	for _, in := range c.Vectors {
		c.Rows = append(c.Rows, in.Rows)
	}
	c.Results, c.Shape, c.Diverged = a.Columns(args), a.Shape, a.Procedure.Diverged
	c.Finite = !a.Procedure.Infinite
	c.Columns = slices.Clone(procedureInputs)
	c.Properties = a.VertexInputs(args)
	for _, in := range c.Properties {
		c.Columns = append(c.Columns, in.Column)
	}
	c.Columns = append(c.Columns, c.Results...)
	return c, nil
}

// refuseStreaming refuses a schedule that always streams to a procedure.
func (c Computation) refuseStreaming() error {
	if c.Task.Program == nil && c.Schedule.Needs.Streams {
		return &ScheduleError{Schedule: c.Request.Schedule, Algorithm: c.Task.Procedure,
			Reason: "it needs all chunks at once"}
	}
	return nil
}

// CannotShare is the refusal of several devices.
func (r Request) CannotShare(reason string) error {
	return &DevicesError{Devices: r.Device, Algorithm: r.Title(), Reason: reason}
}

// effective is every parameter that has a value, as given or by default.
func effective(a *algorithms.Algorithm, given map[string]string, bound algorithms.Args) map[string]string {
	all := maps.Clone(given)
	if all == nil {
		all = map[string]string{}
	}
	for _, p := range a.Params {
		_, float := bound.Floats[p.Name]
		_, integer := bound.Ints[p.Name]
		_, property := bound.Strings[p.Name]
		_, list := bound.Lists[p.Name]
		if _, ok := given[p.Name]; !ok && (float || integer || property || list) {
			all[p.Name] = p.Default
		}
	}
	return all
}
