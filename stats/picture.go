package stats

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/store"
)

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureText))

// Sizes in the picture's units: panels are squares, three in a row.
const (
	panelSize             = 230
	panelLeft, panelTop   = 64, 76 // of the first
	panelsInRow           = 3
	panelRight, panelDown = panelSize + 76, panelSize + 74 // from one to the next
)

type (
	picture struct {
		Width, Height, Size int
		Title, Subtitle     string
		Panels              []panel
	}
	// panel is drawn from its upper left corner on.
	panel struct {
		X, Y          int
		Title         string
		Across        string // what the lower edge means
		XTicks        []tick // from the left
		YTicks        []tick // from the top
		Marks         []mark
		Spy           []mark // in squares of Spy's
		Scale         float64
		Boxes         []int // squares of these sizes in the upper left corner
		Notes, Legend []note
	}
	tick struct {
		At   int
		Text string
	}
	mark struct{ Class, Path string }
	note struct {
		X, Y        int
		Class, Text string
	}
)

// WriteSVG draws six panels: the degree distribution, its sum, the matrix as stored and by
// degree, and of the cores how much of the edges they have and how dense they are.
func (r *Report) WriteSVG(w io.Writer) error {
	p := picture{Title: r.Graph, Subtitle: r.Sentence(), Size: panelSize,
		Width: panelLeft + panelsInRow*panelRight - 40, Height: panelTop + 2*panelDown - 8}
	p.Panels = []panel{r.distribution(), r.cumulative(), r.inside(), r.asStored(),
		r.byDescending(), r.densities()}
	for i := range p.Panels {
		p.Panels[i].X, p.Panels[i].Y = panelLeft+i%panelsInRow*panelRight, panelTop+i/panelsInRow*panelDown
	}
	return pictureTemplate.Execute(w, p)
}

func (r *Report) asStored() panel {
	if r.Order == store.OrderNone {
		return r.AsStored.panel("matrix as loaded")
	}
	return r.AsStored.panel(fmt.Sprintf("matrix as stored, by %s", r.Order))
}

// byDescending has a box for each core.
func (r *Report) byDescending() panel {
	p := r.ByDegree.panel("matrix by descending degree, cores")
	for _, c := range r.Cores[1:] {
		p.Boxes = append(p.Boxes, int(c.Share*panelSize+0.5))
	}
	return p
}

// Sentence says the counts.
func (r *Report) Sentence() string {
	kind := "undirected"
	if r.Directed {
		kind = "directed"
	}
	count := func(n uint64) string { return humanize.Comma(int64(n)) }
	return fmt.Sprintf("%s vertices, %s without an edge; %s %s edges; %s of the matrix is empty",
		count(r.Vertices), count(r.Isolated), count(r.Edges), kind, Percent(1-r.Density))
}

// Percent has as many digits as tell a share from none and from all. Of entries, there may be more than there are places.
func Percent(share float64) string {
	percent, rest := 100*share, 100*(1-share)
	switch {
	case percent == 0 || rest == 0:
		return fmt.Sprintf("%g %%", percent)
	case percent < 10:
		return fmt.Sprintf("%.3g %%", percent)
	case 0 < rest && rest < 10:
		return fmt.Sprintf("%.*f %%", 2-int(math.Floor(math.Log10(rest))), percent)
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// distribution is how many vertices have a degree, both on axes of powers of ten.
func (r *Report) distribution() panel {
	return r.byDegree("vertices of that degree", func(c Count) float64 { return float64(c.Vertices) }, dots)
}

// cumulative is the share of the vertices that have a degree or a higher one.
func (r *Report) cumulative() panel {
	return r.byDegree("share of that degree or a higher", func(c Count) float64 { return ratio(c.AtLeast, r.Vertices) }, line)
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

// inside is how much of the edges the cores have.
func (r *Report) inside() panel {
	p := r.byShare("share of the edges in the core")
	for _, percent := range []int{0, 25, 50, 75, 100} {
		p.YTicks = append(p.YTicks, tick{panelSize - percent*panelSize/100, fmt.Sprintf("%d %%", percent)})
	}
	r.eachSeries(&p, func(c Core) (float64, int) { return c.Inside, panelSize - int(c.Inside*panelSize+0.5) })
	if len(r.Windows) > 0 {
		p.Legend = []note{{panelSize - 6, 16, series[0], "of highest degree"}, {panelSize - 6, 31, series[1], "side by side as stored"}}
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
