package stats

import (
	"fmt"
	"strings"
)

type point struct{ x, y int }

// dots is a path of a dot at each point, once where several are in the same place.
func dots(class string, points []point) mark {
	var b strings.Builder
	seen := map[point]bool{}
	for _, p := range points {
		if !seen[p] {
			seen[p] = true
			fmt.Fprintf(&b, "M%d %dh0", p.x, p.y)
		}
	}
	return mark{class + " dots", b.String()}
}

// line is a path from point to point.
func line(class string, points []point) mark {
	var b strings.Builder
	for i, p := range points {
		switch {
		case i == 0:
			fmt.Fprintf(&b, "M%d %dL", p.x, p.y)
		case p != points[i-1]:
			fmt.Fprintf(&b, "%d %d ", p.x, p.y)
		}
	}
	return mark{class + " line", strings.TrimSpace(b.String())}
}
