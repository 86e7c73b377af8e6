package stats

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/store"
)

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = sync.OnceValue(
	func() *template.Template { return template.Must(template.New("picture").Parse(pictureText)) })

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
	return pictureTemplate().Execute(w, p)
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
