package learning

import (
	"fmt"
	"io"
	"strings"

	"github.com/penstock-db/penstock/host"
)

// The picture of a training, in pixels.
const (
	plotWidth, plotHeight = 640, 320
	plotMargin            = 48
)

// writePlot draws how the loss fell, and that of the validation set, as SVG.
func writePlot(w io.Writer, title string, epochs []host.TrainingEpoch) error {
	most := 0.0
	for _, e := range epochs {
		most = max(most, e.Loss)
		if e.Validation != nil {
			most = max(most, e.Validation.Loss)
		}
	}
	if most == 0 {
		most = 1
	}
	point := func(e host.TrainingEpoch, loss float64) string {
		x := plotMargin + float64(e.Number-1)/float64(max(len(epochs)-1, 1))*(plotWidth-2*plotMargin)
		return fmt.Sprintf("%.1f,%.1f", x, plotHeight-plotMargin-loss/most*(plotHeight-2*plotMargin))
	}
	var train, validation []string
	for _, e := range epochs {
		train = append(train, point(e, e.Loss))
		if e.Validation != nil {
			validation = append(validation, point(e, e.Validation.Loss))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+
		"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="24">%s: loss by epoch</text>`+"\n",
		plotMargin, escaped.Replace(title))
	fmt.Fprintf(&b, `<path d="M%d,%d V%d H%d" fill="none" stroke="black"/>`+"\n", plotMargin, plotMargin,
		plotHeight-plotMargin, plotWidth-plotMargin)
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%.3g</text><text x="%d" y="%d" text-anchor="end">%d</text>`+"\n",
		plotMargin-4, plotMargin+4, most, plotWidth-plotMargin, plotHeight-plotMargin+16, len(epochs))
	for i, line := range []struct {
		name, color string
		points      []string
	}{{"train", "#1f77b4", train}, {"validation", "#d62728", validation}} {
		if len(line.points) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n",
			strings.Join(line.points, " "), line.color, plotWidth-plotMargin-80, plotMargin+16*i, line.color, line.name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
