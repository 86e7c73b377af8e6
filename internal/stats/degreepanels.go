package stats

// distribution is how many vertices have a degree, both on axes of powers of ten.
func (r *Report) distribution() panel {
	return r.byDegree("vertices of that degree", func(c Count) float64 { return float64(c.Vertices) }, dots)
}

// cumulative is the share of the vertices that have a degree or a higher one.
func (r *Report) cumulative() panel {
	return r.byDegree("share of that degree or a higher", func(c Count) float64 { return ratio(c.AtLeast, r.Vertices) },
		line)
}

// byDegree has a mark for each distribution. Degree 0 has no place on such an axis.
func (r *Report) byDegree(title string, value func(Count) float64, draw func(class string, points []point) mark) panel {
	p := panel{Title: title, Across: "degree"}
	least, most, largest := 1.0, 1.0, uint32(1)
	for _, d := range r.Degrees {
		for _, c := range d.Counts {
			least, most = min(least, value(c)), max(most, value(c))
		}
		largest = max(largest, d.Largest())
	}
	across, up := newAxis(1, float64(largest), panelSize), newAxis(least, most, panelSize)
	p.XTicks, p.YTicks = across.powers(), fromTop(up.powers())
	for i, d := range r.Degrees {
		var points []point
		for _, c := range d.Counts {
			if c.Degree > 0 {
				points = append(points, point{across.at(float64(c.Degree)), panelSize - up.at(value(c))})
			}
		}
		p.Marks = append(p.Marks, draw(series[i], points))
		p.Legend = append(p.Legend, note{panelSize - 6, 16 + 15*i, series[i], d.Name})
	}
	return p
}

// series are the classes of the marks of distributions.
var series = []string{"one", "two"}

func fromTop(ticks []tick) []tick {
	for i := range ticks {
		ticks[i].At = panelSize - ticks[i].At
	}
	return ticks
}
