package terminal

import (
	"fmt"
	"strings"
)

// Missing says in a line without which walls something runs, and why; empty: none is missing. Walls that are missing
// for the same reason are told together.
func Missing(walls []Wall) string {
	var reasons []string
	names := map[string][]string{}
	for _, w := range walls {
		if w.Stands {
			continue
		}
		if len(names[w.Why]) == 0 {
			reasons = append(reasons, w.Why)
		}
		names[w.Why] = append(names[w.Why], w.Name)
	}
	for i, why := range reasons {
		reasons[i] = fmt.Sprintf("%s (%s)", strings.Join(names[why], ", "), why)
	}
	return strings.Join(reasons, "; ")
}

// Wall is one around a process.
type Wall struct {
	Name, Why string
	Stands    bool
}
