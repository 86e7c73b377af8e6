package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedule is a policy by name, with its parameters.
type Schedule struct {
	Name string // with the parameters that were given
	planner
	kind   *kind
	values []float64
}

// planner is a policy and why it chose its last answer.
type planner struct {
	Plan Policy
	rule func(State, []Load) string
}

// kind is a policy and its parameters, as a user may name them.
type kind struct {
	name       string
	parameters []parameter
	build      func(values []float64) planner
	// looks: it looks at Demand.
	looks bool
	// settles: its programs should be brought to local convergence where they can be.
	// onlySettles: there is no other way.
	settles, onlySettles bool
	// grids: it cuts chunks by columns, and learns from what each takes.
	grids bool
	// keeps: chunks of high value stay on the device.
	keeps bool
}

type parameter struct {
	name             string
	value, low, high float64 // by default; the least and the largest that make sense
}

var kinds = []*kind{
	{name: "auto", looks: true, settles: true, build: func([]float64) planner { return planner{Auto, autoRule} }},
	{name: "whole", build: func([]float64) planner { return planner{Whole, wholeRule} }},
	{name: "subway", looks: true, settles: true,
		parameters: []parameter{{"threshold", 0.8, 0, 1}},
		build: func(v []float64) planner {
			s := Subway{Threshold: v[0]}
			return planner{s.Plan, s.rule}
		}},
	{name: "neugraph", looks: true, grids: true, build: func([]float64) planner {
		n := new(NeuGraph)
		return planner{n.Plan, n.rule}
	}},
	{name: "scaph", looks: true, settles: true, onlySettles: true, keeps: true,
		parameters: []parameter{{"alpha", 0.5, 0, 1}, {"beta", 0.3, 0, 1}, {"levels", 4, 1, 64}},
		build: func(v []float64) planner {
			return planner{Scaph{Alpha: v[0], Beta: v[1], Levels: int(v[2])}.Plan, scaphRule}
		}},
}

// Names are those of the schedules there are.
func Names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Looks tells whether the policy looks at Demand.
func (s Schedule) Looks() bool { return s.kind.looks }

// Settles tells whether programs that can be brought to local convergence should be.
func (s Schedule) Settles() bool { return s.kind.settles }

// Grids tells whether the policy wants to know what State has for grids.
func (s Schedule) Grids() bool { return s.kind.grids }

// OnlySettles tells whether the schedule is none for other programs.
func (s Schedule) OnlySettles() bool { return s.kind.onlySettles }

// Keeps tells whether chunks of high value stay on the device as long as they are of value, and
// are gone through again while others are on their way (see Queue).
func (s Schedule) Keeps() bool { return s.kind.keeps }

// ParseError is a text that names no schedule, or not rightly.
type ParseError struct{ Text, Reason string }

func (e *ParseError) Error() string { return fmt.Sprintf("schedule %q: %s", e.Text, e.Reason) }

// Parse reads "NAME" or "NAME:PARAMETER=VALUE,…", as in "scaph:alpha=0.4,levels=2".
// Errors are *ParseError.
func Parse(text string) (Schedule, error) {
	name, rest, given := strings.Cut(text, ":")
	at := slices.IndexFunc(kinds, func(k *kind) bool { return k.name == name })
	if at < 0 {
		return Schedule{}, &ParseError{text, "there is none of that name; there are " + strings.Join(Names(), ", ")}
	}
	s := Schedule{Name: text, kind: kinds[at]}
	for _, p := range s.kind.parameters {
		s.values = append(s.values, p.value)
	}
	if given {
		for _, assignment := range strings.Split(rest, ",") {
			if reason := s.assign(assignment); reason != "" {
				return Schedule{}, &ParseError{text, reason}
			}
		}
	}
	s.planner = s.kind.build(s.values)
	return s, nil
}

// assign takes PARAMETER=VALUE, or says what is wrong with it.
func (s *Schedule) assign(assignment string) string {
	name, text, _ := strings.Cut(assignment, "=")
	at := slices.IndexFunc(s.kind.parameters, func(p parameter) bool { return p.name == name })
	if at < 0 {
		return fmt.Sprintf("%s has no parameter %q%s", s.kind.name, name, s.kind.known())
	}
	p := s.kind.parameters[at]
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= p.low && value <= p.high) {
		return fmt.Sprintf("%s is %q; expected a number from %g to %g", name, text, p.low, p.high)
	}
	s.values[at] = value
	return ""
}

func (k *kind) known() string {
	if len(k.parameters) == 0 {
		return ", nor any other"
	}
	var names []string
	for _, p := range k.parameters {
		names = append(names, p.name)
	}
	return ", but " + strings.Join(names, ", ")
}
