package dataflow

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// The measures of a picture, in pixels.
const (
	pictureWidth = 900
	boxLeft      = 24
	boxRight     = 680
	lineHeight   = 16
	boxGap       = 20
	laneWidth    = 9 // arrows run side by side, right of the boxes
	laneCount    = 20
)

// colors are those of what is computed, by where it has rows.
var colors = map[string]string{"edge": "#c2410c", "gather": "#b91c1c", "vertex": "#1d4ed8", "sum": "#15803d",
	"small": "#15803d"}

// box is a stage in a picture.
type box struct {
	stage Stage
	title string
	lines []boxLine
	top   int
}

// boxLine is a value in a box.
type boxLine struct {
	what string
	v    *Value
}

func (b *box) bottom() int { return b.top + lineHeight*(len(b.lines)+1) + 8 }

// lineAt is how far down line i stands.
func (b *box) lineAt(i int) int { return b.top + lineHeight*(i+2) - 2 }

// Picture draws the schedule as SVG: a box for each stage, in their order, with what is computed at edges (orange),
// gathered (red), computed at vertices (blue) and summed up (green); and an arrow from each value that is stored, in
// bold, to the stages that read it.
func (s Schedule) Picture(w io.Writer, title string) error {
	boxes := s.boxes()
	var b strings.Builder
	height := boxes[len(boxes)-1].bottom() + boxGap
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" `+
		`font-size="12">`+"\n", pictureWidth, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="24" font-size="14">%s</text>`+"\n",
		boxLeft, escaped.Replace(title))
	lane := 0
	for i := range boxes {
		boxes[i].draw(&b)
		for k, line := range boxes[i].lines {
			if slices.Contains(boxes[i].stage.Stored, line.v) {
				drawArrows(&b, &boxes[i], k, boxes[i+1:], lane)
				lane++
			}
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// boxes lays the stages out, one below the other.
func (s Schedule) boxes() []box {
	var boxes []box
	at := 40
	for _, part := range []struct {
		name   string
		stages []Stage
	}{{"once", s.Once}, {"each epoch", s.Epoch}} {
		for i, stage := range part.stages {
			next := box{stage, fmt.Sprintf("%s, stage %d%s", part.name, i+1, stage.where()), stage.lines(), at}
			boxes = append(boxes, next)
			at = next.bottom() + boxGap
		}
	}
	return boxes
}

// lines are the values of a stage, in the order in which they are computed.
func (s Stage) lines() (lines []boxLine) {
	add := func(what string, values []*Value) {
		for _, v := range values {
			lines = append(lines, boxLine{what, v})
		}
	}
	for _, w := range s.Waves {
		add("edge", w.Edges)
		add("gather", w.Gathers)
		add("vertex", w.Rows)
	}
	add("sum", s.Sums)
	add("small", s.Small)
	return lines
}

// reads says whether the stage computes something of v, which another has stored.
func (s Stage) reads(v *Value) bool {
	return slices.ContainsFunc(s.lines(), func(l boxLine) bool { return l.v != v && slices.Contains(l.v.Args, v) })
}

func (b *box) draw(to io.Writer) {
	fmt.Fprintf(to, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#f8fafc" stroke="#64748b"/>`+"\n", boxLeft, b.top,
		boxRight-boxLeft, b.bottom()-b.top)
	fmt.Fprintf(to, `<text x="%d" y="%d" fill="#334155">%s</text>`+"\n", boxLeft+8, b.top+lineHeight-2,
		escaped.Replace(b.title))
	for i, line := range b.lines {
		weight := ""
		if slices.Contains(b.stage.Stored, line.v) {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(to, `<text x="%d" y="%d" fill="%s"%s>%-7s %s</text>`+"\n", boxLeft+20, b.lineAt(i), colors[line.what],
			weight, line.what, escaped.Replace(line.v.String()))
	}
}

// drawArrows leads from a line of a box to those of later boxes that read its value.
func drawArrows(to io.Writer, from *box, line int, later []box, lane int) {
	x, y := boxRight+12+lane%laneCount*laneWidth, from.lineAt(line)-4
	for i := range later {
		if !later[i].stage.reads(from.lines[line].v) {
			continue
		}
		end := later[i].top + 10 + lane%laneCount
		fmt.Fprintf(to, `<path d="M%d,%d H%d V%d H%d" fill="none" stroke="#94a3b8"/>`+
			`<path d="M%d,%d l6,-3 v6 z" fill="#94a3b8"/>`+"\n", boxRight, y, x, end, boxRight, boxRight, end)
	}
}
