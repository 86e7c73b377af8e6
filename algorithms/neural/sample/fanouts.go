package sample

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Fanouts are how many neighbors are kept, by hop.
type Fanouts []int

// ParseFanouts reads "10,5", or "10,all".
func ParseFanouts(text string) (f Fanouts, err error) {
	for _, field := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		switch {
		case strings.EqualFold(strings.TrimSpace(field), "all"):
			n = All
		case err != nil || n < 1 || n > All:
			return nil, fmt.Errorf("fanout %q: %q is no number of neighbors: it is 1 or more, or all", text, field)
		}
		f = append(f, n)
	}
	return f, nil
}

// Samples says whether some neighbors may be left out.
func (f Fanouts) Samples() bool {
	for _, n := range f {
		if n < All {
			return true
		}
	}
	return false
}

// String is as ParseFanouts reads it.
func (f Fanouts) String() string {
	fields := make([]string, len(f))
	for i, n := range f {
		if fields[i] = strconv.Itoa(n); n >= All {
			fields[i] = "all"
		}
	}
	return strings.Join(fields, ",")
}

// MarshalJSON is a list of numbers; "all" where all are kept.
func (f Fanouts) MarshalJSON() ([]byte, error) {
	fields := make([]any, len(f))
	for i, n := range f {
		if fields[i] = n; n >= All {
			fields[i] = "all"
		}
	}
	return json.Marshal(fields)
}
