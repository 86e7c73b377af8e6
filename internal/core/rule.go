package core

import (
	"fmt"
	"strconv"
	"strings"
)

// Rule says which cores may be chosen.
type Rule struct {
	Kind     Kind
	Share    float64 // of the vertices; 0: Vertices, or each of Shares
	Vertices uint64
}

// Kind is how vertices get into a core.
type Kind string

const (
	Auto   Kind = "auto"   // as may be, of all others, what is expected to save most time
	Degree Kind = "degree" // those of highest degree
	Rabbit Kind = "rabbit" // those of communities, which are side by side in the order that the graph is stored in
)

// None is what is chosen where no core is worth it. It cannot be asked for: who wants none names one device.
const None = "none"

// Shares of the vertices that a core is looked for in, unless one is asked for.
var Shares = []float64{0.5, 0.25, 0.1, 0.05, 0.01}

// RuleError is a text that is no Rule.
type RuleError struct{ Text, Reason string }

func (e *RuleError) Error() string {
	return fmt.Sprintf(
		"core %q: %s; write auto, degree, rabbit, or one of these two with a share or a number of vertices, as in degree:10%% or rabbit:4096", e.Text, e.Reason)
}

// ParseRule reads "auto", "degree", "degree:10%", "degree:4096", and the same of rabbit. Empty is auto.
//
// Errors: *RuleError.
func ParseRule(text string) (Rule, error) {
	kind, size, sized := strings.Cut(text, ":")
	rule := Rule{Kind: Kind(kind)}
	switch {
	case text == "" || text == string(Auto):
		return Rule{Kind: Auto}, nil
	case rule.Kind == Auto:
		return rule, &RuleError{text, "what auto chooses has no size of its own"}
	case rule.Kind != Degree && rule.Kind != Rabbit:
		return rule, &RuleError{text, fmt.Sprintf("%q is no way to choose", kind)}
	case !sized:
		return rule, nil
	}
	var err error
	if share, isShare := strings.CutSuffix(size, "%"); isShare {
		rule.Share, err = strconv.ParseFloat(share, 64)
		if rule.Share /= 100; err == nil && !(rule.Share > 0 && rule.Share <= 1) {
			err = strconv.ErrRange
		}
	} else if rule.Vertices, err = strconv.ParseUint(size, 10, 64); err == nil && rule.Vertices == 0 {
		err = strconv.ErrRange
	}
	if err != nil {
		return rule, &RuleError{text, fmt.Sprintf(
			"%q is no size: a share is above 0%% and at most 100%%, a number of vertices at least 1", size)}
	}
	return rule, nil
}

// sizes are how many vertices the cores of a rule have.
func (r Rule) sizes(vertices uint64) []uint64 {
	switch {
	case r.Vertices > 0:
		return []uint64{min(r.Vertices, vertices)}
	case r.Share > 0:
		return Sizes(vertices, r.Share)
	}
	return Sizes(vertices, Shares...)
}
