package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedule decides what is sent in each iteration: a policy with its parameters.
type Schedule struct {
	Name  string // with the parameters that were given
	Needs Needs
	decider
}

// decider is a policy, and what says why it answered as it did, in the words of `run --explain`.
type decider struct {
	Plan Policy
	rule func(State, []Load) string
	// NearRoom is the part of the device's room for chunks that the edges of near vertices are to fill (see
	// Priority); 0: no active vertex waits.
	NearRoom float64
}

// definition is a schedule as a user may name it.
type definition struct {
	name       string
	summary    string // in few words, for the help of --schedule; empty: the name says enough
	needs      Needs
	parameters []parameter
	build      func(values []float64) decider
}

type parameter struct {
	name             string
	value, low, high float64 // the default, and the bounds
}

// definitions are all schedules, in the order of lists. The file of each has its policy.
var definitions = []definition{autoSchedule, wholeSchedule, subwaySchedule, neugraphSchedule, scaphSchedule}

// Names lists the schedules.
func Names() (names []string) {
	for _, d := range definitions {
		names = append(names, d.name)
	}
	return names
}

// Usage lists the schedules with their parameters and defaults, as a user may write them.
func Usage() string {
	var texts []string
	for _, d := range definitions {
		texts = append(texts, d.usage())
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func (d definition) usage() string {
	text, mark := d.name, "[:"
	for _, p := range d.parameters {
		text += fmt.Sprintf("%s%s=%g", mark, p.name, p.value)
		mark = ","
	}
	if len(d.parameters) > 0 {
		text += "]"
	}
	if d.summary != "" {
		text += " (" + d.summary + ")"
	}
	return text
}

// ParseError says why a text does not name a schedule: its name, a parameter or a value is not known.
type ParseError struct{ Text, Reason string }

func (e *ParseError) Error() string { return fmt.Sprintf("schedule %q: %s", e.Text, e.Reason) }

// Parse reads "NAME" or "NAME:PARAMETER=VALUE,…", as in "scaph:alpha=0.4,levels=2".
// Errors are *ParseError.
func Parse(text string) (Schedule, error) {
	name, rest, given := strings.Cut(text, ":")
	at := slices.IndexFunc(definitions, func(d definition) bool { return d.name == name })
	if at < 0 {
		return Schedule{}, &ParseError{text, "there is none of that name; there are " + strings.Join(Names(), ", ")}
	}
	d := definitions[at]
	var values []float64
	for _, p := range d.parameters {
		values = append(values, p.value)
	}
	if given {
		for _, assignment := range strings.Split(rest, ",") {
			if reason := d.assign(values, assignment); reason != "" {
				return Schedule{}, &ParseError{text, reason}
			}
		}
	}
	return Schedule{Name: text, Needs: d.needs, decider: d.build(values)}, nil
}

// assign takes PARAMETER=VALUE, or says what is wrong with it.
func (d definition) assign(values []float64, assignment string) string {
	name, text, _ := strings.Cut(assignment, "=")
	at := slices.IndexFunc(d.parameters, func(p parameter) bool { return p.name == name })
	if at < 0 {
		return fmt.Sprintf("%s has no parameter %q%s", d.name, name, d.known())
	}
	p := d.parameters[at]
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= p.low && value <= p.high) {
		return fmt.Sprintf("%s is %q; expected a number from %g to %g", name, text, p.low, p.high)
	}
	values[at] = value
	return ""
}

func (d definition) known() string {
	if len(d.parameters) == 0 {
		return ", nor any other"
	}
	var names []string
	for _, p := range d.parameters {
		names = append(names, p.name)
	}
	return ", but " + strings.Join(names, ", ")
}
