package host

import (
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// plan says what is to be computed: it resolves the request against the catalogue and
// the graph, and touches neither chunks nor devices.
func (r *run) plan() (err error) {
	if r.req, err = r.req.withDefaults(); err != nil {
		return err
	}
	if r.policy, err = r.req.policy(); err != nil {
		return err
	}
	r.parameters = map[string]string{}
	if err := r.planComputation(); err != nil {
		return err
	}
	if err := r.planSources(); err != nil {
		return err
	}
	return r.checkProperty()
}

func (r *run) planComputation() error {
	switch {
	case r.req.Custom != nil:
		return r.planCustom(*r.req.Custom)
	case r.req.Program != nil:
		program, err := r.startAt(*r.req.Program)
		if err != nil {
			return err
		}
		return r.planProgram(program, nil)
	}
	return r.planAlgorithm()
}

func (r *run) planCustom(c algorithms.Custom) error {
	c.Params = r.req.Params
	program, err := c.Build(r.environment())
	if err != nil {
		return err
	}
	maps.Copy(r.parameters, c.Params)
	return r.planProgram(*program, nil)
}

func (r *run) planAlgorithm() error {
	algorithm, err := algorithms.Lookup(r.req.Algorithm)
	if err != nil {
		return err
	}
	args, err := algorithm.Bind(r.req.Params, r.environment())
	if err != nil {
		return err
	}
	r.req.Algorithm = algorithm.Name
	r.parameters = effective(algorithm, r.req.Params, args)
	if algorithm.Procedure != nil {
		return r.planProcedure(algorithm, args)
	}
	program, err := algorithm.Program(args)
	if err != nil {
		return err
	}
	r.finish = algorithm.Finish
	return r.planProgram(*program, algorithm.Result)
}

// planProgram takes a copy of the program: Check fills it in, and the caller's stays as it is.
func (r *run) planProgram(p algorithms.Program, results []algorithms.Column) error {
	p.State, p.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	if err := algorithms.Check(&p, r.numericEdgeColumns()); err != nil {
		return err
	}
	r.task = plugins.Task{Program: &p, Restorable: r.req.Resume}
	r.edges, r.edgeNames = p.Edges, p.EdgeColumns
	r.columns = algorithms.VertexColumns(&p)
	if r.results = results; results == nil {
		r.results = r.columns[len(r.columns)-len(p.State):]
	}
	return nil
}

func (r *run) planProcedure(a *algorithms.Algorithm, args algorithms.Args) error {
	if r.req.several() {
		return r.cannotShare("it is a procedure, which needs all chunks on one device")
	}
	r.task = plugins.Task{Procedure: a.Name, Args: args}
	if err := r.refuseStreaming(); err != nil {
		return err
	}
	r.edges = a.Procedure.Edges
	if a.Procedure.EdgeColumns != nil {
		r.edgeNames = a.Procedure.EdgeColumns(args)
	}
	r.columns = append(slices.Clone(inputColumns), a.Result...)
	r.results = a.Result
	return nil
}

// refuseStreaming refuses a schedule that always streams to a procedure.
func (r *run) refuseStreaming() error {
	if r.task.Program == nil && r.req.Schedule == scheduleWhole {
		return &ScheduleError{Schedule: r.req.Schedule, Algorithm: r.task.Procedure, Reason: "it needs all chunks at once"}
	}
	return nil
}

// inputColumns are what a procedure finds in the arena beside its results.
var inputColumns = []algorithms.Column{
	{Name: inputID, Type: algorithms.Int},
	{Name: inputOutDegree, Type: algorithms.Int},
	{Name: inputInDegree, Type: algorithms.Int},
}

const (
	inputID        = "id"
	inputOutDegree = "out_degree"
	inputInDegree  = "in_degree"
)

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
		if _, ok := given[p.Name]; !ok && (float || integer || property) {
			all[p.Name] = p.Default
		}
	}
	return all
}
