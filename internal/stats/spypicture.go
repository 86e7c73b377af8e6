package stats

import (
	"fmt"
	"math"
	"strings"
)

// shades is how many there are.
const shades = 5

// panel draws the squares that are not empty, the fuller the stronger, on a logarithmic scale.
func (s Spy) panel(title string) panel {
	p := panel{Title: title}
	least, most := s.extremes()
	if most == 0 {
		return p
	}
	p.Scale = panelSize / float64(s.Side)
	p.Across = fmt.Sprintf("squares: empty, or %s to %s full", Percent(least), Percent(most))
	for shade := range shades {
		p.Spy = append(p.Spy, mark{fmt.Sprintf("shade%d", shade), s.path(shade, least, most)})
	}
	return p
}

// extremes are the least and the greatest share of a square that is not empty; 0: there is none.
func (s Spy) extremes() (least, most float64) {
	for row := range s.Side {
		for column := range s.Side {
			share := s.Share(row, column)
			if share > 0 && (share < least || least == 0) {
				least = share
			}
			most = max(most, share)
		}
	}
	return least, most
}

// path has a line for each run of squares of that shade.
func (s Spy) path(shade int, least, most float64) string {
	var b strings.Builder
	for row := range s.Side {
		last := -1 // where the run before ended
		for column := 0; column < s.Side; {
			run := 0
			for column+run < s.Side && shadeOf(s.Share(row, column+run), least, most) == shade {
				run++
			}
			if run == 0 {
				column++
				continue
			}
			if last < 0 {
				fmt.Fprintf(&b, "M%d %d", column, row)
			} else {
				fmt.Fprintf(&b, "m%d 0", column-last)
			}
			fmt.Fprintf(&b, "h%d", run)
			column += run
			last = column
		}
	}
	return b.String()
}

// shadeOf is -1 for an empty square.
func shadeOf(share, least, most float64) int {
	switch {
	case share == 0:
		return -1
	case least == most:
		return shades - 1
	}
	return min(int(shades*math.Log(share/least)/math.Log(most/least)), shades-1)
}
