package stats

import (
	"fmt"
	"slices"
)

// inside is how much of the edges the cores have.
func (r *Report) inside() panel {
	p := r.byShare("share of the edges in the core")
	for _, percent := range []int{0, 25, 50, 75, 100} {
		p.YTicks = append(p.YTicks, tick{panelSize - percent*panelSize/100, fmt.Sprintf("%d %%", percent)})
	}
	r.eachSeries(&p, func(c Core) (float64, int) { return c.Inside, panelSize - int(c.Inside*panelSize+0.5) })
	if len(r.Windows) > 0 {
		p.Legend = []note{{panelSize - 6, 16, series[0], "of highest degree"},
			{panelSize - 6, 31, series[1], "side by side as stored"}}
	}
	return p
}

// densities are how dense the cores are. Those that are sparser than a larger one stand out.
func (r *Report) densities() panel {
	p := r.byShare("density of the core")
	least, most := 1.0, 0.0
	for _, c := range slices.Concat(r.Cores, r.Windows) {
		if c.Density > 0 {
			least, most = min(least, c.Density), max(most, c.Density)
		}
	}
	up := newAxis(least, max(most, least), panelSize)
	p.YTicks = fromTop(up.powers())
	sparser := r.eachSeries(&p, func(c Core) (float64, int) { return c.Density, panelSize - up.at(c.Density) })
	if len(sparser) > 0 {
		p.Marks = append(p.Marks, dots("sparser", sparser))
		p.Legend = []note{{panelSize - 6, panelSize - 8, "sparser", "sparser than a larger core"}}
	}
	return p
}

// eachSeries draws a value of the cores, in numbers too, and one of the windows if there are
// any. It returns where those are that are sparser than a larger one. What has no edges is left out.
func (r *Report) eachSeries(p *panel, value func(Core) (value float64, y int)) (sparser []point) {
	behind := len(r.Cores) - len(r.Windows)
	for i, cores := range [][]Core{r.Cores, r.Windows} {
		var points []point
		for j, c := range cores {
			if c.Entries == 0 {
				continue
			}
			is, y := value(c)
			at := point{r.shareAt(j + i*behind), y}
			points = append(points, at)
			if c.Sparser {
				sparser = append(sparser, at)
			}
			if i == 0 && len(cores) <= mostNotes {
				p.Notes = append(p.Notes, beside(at, Percent(is)))
			}
		}
		p.Marks = append(p.Marks, line(series[i], points), dots(series[i], points))
	}
	return sparser
}

// mostNotes is how many texts there is room for beside points.
const mostNotes = 7

// beside is a text above a point, or below it where there is no room.
func beside(at point, text string) note {
	if at.y < 20 {
		return note{at.x, at.y + 16, "ink", text}
	}
	return note{at.x, at.y - 8, "ink", text}
}

// byShare has a place for each core.
func (r *Report) byShare(title string) panel {
	p := panel{Title: title, Across: "% of the vertices, those of highest degree"}
	for i, c := range r.Cores {
		p.XTicks = append(p.XTicks, tick{r.shareAt(i), fmt.Sprintf("%g", 100*c.Share)})
	}
	return p
}

func (r *Report) shareAt(i int) int { return 18 + i*(panelSize-36)/max(1, len(r.Cores)-1) }
