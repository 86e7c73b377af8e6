package learning

import (
	"context"
	"strings"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// lesson is what a call would have a model learn: that of a MEGA program, a network that is built in, or one's own.
type lesson struct {
	settings
	name    string        // of the model
	program host.Learning // nil: a network learns
}

// lesson reads the arguments of a procedure that takes a model and how it learns.
func (c call) lesson(procedure string, arguments []value.Value) (l lesson, err error) {
	configuration := arguments[1]
	l.name = arguments[0].Str()
	if program, known := host.NewLearning(l.name); known {
		l.program = program
		if err = l.read(procedure, configuration, learnKeys(l.program)); err == nil {
			l.program.Options().On = c.on(l.settings)
		}
		return l, err
	}
	wrong := func(err error) error {
		return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: %s", procedure, err)
	}
	model, err := modelOf(l.name)
	if err != nil {
		return l, wrong(err)
	}
	l.settings = settings{request: host.TrainRequest{Seed: 1}, changes: neural.Changes{Sizes: map[string]int{}}}
	if err := l.read(procedure, configuration, trainKeys); err != nil {
		return l, err
	}
	if l.request.Model, err = model.With(l.changes); err != nil {
		return l, wrong(err)
	}
	l.name = l.request.Model.Name
	l.request.On = c.on(l.settings)
	return l, nil
}

// modelOf is a built-in network, or one's own as text.
func modelOf(text string) (neural.Model, error) {
	if m, builtIn := neural.Lookup(text); builtIn {
		return m, nil
	}
	if !strings.ContainsAny(text, "\n:") {
		return neural.Model{}, &neural.UnknownModelError{Name: text, Others: host.Learners()}
	}
	return neural.Parse("own", []byte(text))
}

// learn has it learned.
func (l lesson) learn(ctx context.Context, by Runner, graph string) (*host.Trained, error) {
	if l.program != nil {
		return by.Learn(ctx, graph, l.program, l.save, l.replace)
	}
	return by.Train(ctx, graph, l.part, l.request, l.save, l.replace)
}
