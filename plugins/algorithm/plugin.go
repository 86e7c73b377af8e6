package algorithm

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Plugin is what a plugin of algorithms says of itself.
type Plugin struct {
	Name       string
	Version    string // semver.org
	Algorithms []Algorithm
}

// Algorithm is one that a plugin has. Of Compute and Passes one is set.
type Algorithm struct {
	algorithms.Definition
	// Compute computes the result columns, in the order of the definition. They are zeros, but paths, which are
	// algorithms.Unreached. Values of a vertex column are what Graph.ID says. Of a column with a width, those of vertex v
	// begin at v*Per(), and of its paths each has the next Path. Of a table, rows are what Graph.NewRow takes.
	Compute func(ctx context.Context, g *Graph, args algorithms.Args, result []algorithms.Values) error
	// Passes begins a computation that goes over all lists, several times (see Passes).
	Passes func(ctx context.Context, g *Graph, args algorithms.Args, result []algorithms.Values) (Passes, error)
	// Memory is what Compute, or Passes, allocates: so many bytes, beside the result columns. It counts against the memory
	// that a user allows, and is part of what an estimate says. Nil: nothing.
	Memory func(g Size, args algorithms.Args) uint64
}

// Size is how large a graph is.
type Size struct {
	Vertices, Edges uint64 // an undirected edge is one
	Directed        bool
}

// Serve is a plugin's main. It does not return while the host is there.
func Serve(p Plugin) {
	d, err := New(p)
	if err != nil {
		panic(err) // the plugin's author sees it: whoever starts it without a host, too
	}
	plugins.Serve(d)
}

// New is the device that a plugin is to the host. It fails where a definition is wrong, by an
// *algorithms.DefinitionError.
func New(p Plugin) (plugins.Device, error) {
	d := device{plugin: p, defined: map[string]*algorithms.Algorithm{}}
	for _, a := range p.Algorithms {
		defined, err := algorithms.Define(a.Definition)
		if err != nil {
			return nil, err
		}
		properties := 0
		for _, param := range defined.Params {
			if param.Type == algorithms.ParamProperty {
				properties++
			}
		}
		switch {
		case (a.Compute == nil) == (a.Passes == nil):
			return nil, fmt.Errorf("algorithm %s has both of Compute and Passes, or none of them; expected one", a.Name)
		case properties > 1:
			return nil, fmt.Errorf("algorithm %s has %d edge properties as parameters; a List has one weight", a.Name, properties)
		case d.defined[a.Name] != nil:
			return nil, fmt.Errorf("two algorithms are called %s", a.Name)
		}
		d.defined[a.Name] = defined
	}
	return d, nil
}

type device struct {
	plugin  Plugin
	defined map[string]*algorithms.Algorithm // by name
}

// Describe tells of the algorithms, each as a procedure.
func (d device) Describe(context.Context) (plugins.Description, error) {
	about := plugins.Description{
		Name: d.plugin.Name, Version: d.plugin.Version, Hardware: runtime.GOARCH, Threads: runtime.GOMAXPROCS(0),
		Extensions: []plugins.Extension{plugins.ExtensionFiles}, MapsFiles: true,
	}
	for _, a := range d.plugin.Algorithms {
		about.Algorithms = append(about.Algorithms, a.Definition)
		about.Procedures = append(about.Procedures, a.Name)
	}
	if slices.ContainsFunc(d.plugin.Algorithms, func(a Algorithm) bool { return a.Passes != nil }) {
		about.Extensions = append(about.Extensions, plugins.ExtensionPasses)
	}
	if slices.ContainsFunc(d.plugin.Algorithms, readsVectors) { // which come as rows
		about.Extensions = append(about.Extensions, plugins.ExtensionLearns)
	}
	return about, nil
}

func readsVectors(a Algorithm) bool {
	return slices.ContainsFunc(a.Params, func(p algorithms.ParamDefinition) bool { return p.Type == "vectors" })
}

// Open begins a session.
func (d device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	return kit.Open(kit.Setup{Device: d.plugin.Name, Job: job,
		Compile: func(_ context.Context, task plugins.Task, budget *kit.Budget) (kit.Compiled, error) {
			return d.compile(job, task, budget)
		}})
}

// compile makes ready what a task asks for.
func (d device) compile(job plugins.Job, task plugins.Task, budget *kit.Budget) (c kit.Compiled, err error) {
	for _, a := range d.plugin.Algorithms {
		if a.Name == task.Procedure {
			return newRun(job, task, a, d.defined[a.Name], budget)
		}
	}
	if task.Procedure == "" {
		return c, plugins.Errorf(plugins.KindUnsupported, "this plugin has algorithms of its own, and runs no programs")
	}
	return c, plugins.Errorf(plugins.KindUnsupported, "procedure %q", task.Procedure)
}
