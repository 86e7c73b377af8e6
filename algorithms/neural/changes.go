package neural

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Changes are what a user says otherwise than a model does. Nil: as the model says.
type Changes struct {
	Sizes        map[string]int // by name, as hidden
	Epochs       *int
	Patience     *int
	LearningRate *float64
	WeightDecay  *float64
	Dropout      *float64
	Optimizer    *string
	Momentum     *float64
	Schedule     *string
	Output       *string // what it says of a pair of vertices
}

// With is m with changes.
//
// Errors: *ModelError.
func (m Model) With(c Changes) (Model, error) {
	m.Sizes = maps.Clone(m.Sizes)
	for name, size := range c.Sizes {
		if _, has := m.Sizes[name]; !has {
			return m, &ModelError{m.Name, fmt.Sprintf("it has no size %q; it has %s", name,
				strings.Join(slices.Sorted(maps.Keys(m.Sizes)), ", "))}
		}
		m.Sizes[name] = size
	}
	change(&m.Output, c.Output)
	t := &m.Training
	change(&t.Epochs, c.Epochs)
	change(&t.Patience, c.Patience)
	change(&t.LearningRate, c.LearningRate)
	change(&t.WeightDecay, c.WeightDecay)
	change(&t.Dropout, c.Dropout)
	change(&t.Optimizer, c.Optimizer)
	change(&t.Momentum, c.Momentum)
	change(&t.Schedule, c.Schedule)
	if err := t.check(); err != nil {
		return m, &ModelError{m.Name, err.Error()}
	}
	return m, nil
}

func change[T any](to *T, by *T) {
	if by != nil {
		*to = *by
	}
}

// ChangesOf reads changes by name: epochs, patience, learning_rate, weight_decay, dropout, momentum; what else is named
// is a size.
func ChangesOf(settings map[string]float64) (Changes, error) {
	c := Changes{Sizes: map[string]int{}}
	for name, x := range settings {
		whole := int(x)
		switch name {
		case "learning_rate":
			c.LearningRate = &x
			continue
		case "weight_decay":
			c.WeightDecay = &x
			continue
		case "dropout":
			c.Dropout = &x
			continue
		case "momentum":
			c.Momentum = &x
			continue
		case "epochs":
			c.Epochs = &whole
		case "patience":
			c.Patience = &whole
		default:
			c.Sizes[name] = whole
		}
		if float64(whole) != x {
			return c, fmt.Errorf("setting %s is %g; it must be an integer", name, x)
		}
	}
	return c, nil
}
