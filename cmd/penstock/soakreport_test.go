package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/template"
	"time"
)

func inMebi(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// report writes what was done, and a table of about twenty samples in MiB.
func (s *soak) report(w io.Writer) {
	for i := range s.counts {
		fmt.Fprintf(w, "%-12s %7d done, %6d conflicts\n", soakWork[i].name, s.counts[i].done.Load(),
			s.counts[i].conflicts.Load())
	}
	fmt.Fprintf(w, "%8s %8s %8s %8s %8s\n", "seconds", "disk", "logs", "own", "mapped")
	every := max(1, len(s.samples)/20)
	for i, p := range s.samples {
		if i%every == 0 || i == len(s.samples)-1 {
			fmt.Fprintf(w, "%8.0f %8.1f %8.1f %8.1f %8.1f\n", p.after.Seconds(), inMebi(p.disk), inMebi(p.logs), inMebi(p.anon),
				inMebi(p.file))
		}
	}
}

var soakPicture = template.Must(
	template.New(
		"soak").Parse(
		`<svg xmlns="http://www.w3.org/2000/svg" width="860" height="360" viewBox="0 0 860 360" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
<text x="20" y="22" font-size="14">{{.Title}}</text>
{{- range .Rules}}
<line x1="60" y1="{{.Y}}" x2="840" y2="{{.Y}}" stroke="#ccc"/>
<text x="52" y="{{.Y}}" dy="4" text-anchor="end">{{.Text}}</text>
{{- end}}
{{- range .Ticks}}
<text x="{{.X}}" y="336" text-anchor="middle" fill="#444">{{.Text}}</text>
{{- end}}
<line x1="{{.End}}" y1="60" x2="{{.End}}" y2="320" stroke="#888" stroke-dasharray="4 4"/>
<text x="{{.End}}" y="56" text-anchor="end" fill="#444">the load ends</text>
{{- range .Lines}}
<polyline points="{{.Points}}" fill="none" stroke="{{.Color}}" stroke-width="1.5"/>
<rect x="{{.X}}" y="32" width="11" height="11" fill="{{.Color}}"/>
<text x="{{.X}}" y="42" dx="16">{{.Text}}</text>
{{- end}}
</svg>
`))

// draw writes a picture of all samples, MiB over seconds.
func (s *soak) draw(path string) error {
	type mark struct {
		X, Y          int
		Text          string
		Points, Color string
	}
	lines := []struct {
		name, color string
		of          func(soakSample) int64
	}{
		{"files", "#0b5fa5", func(p soakSample) int64 { return p.disk }},
		{"resident memory of its own", "#c1440e", func(p soakSample) int64 { return p.anon }},
		{"resident memory of mapped files", "#6b8e23", func(p soakSample) int64 { return p.file }},
	}
	top, last := 0.0, s.samples[len(s.samples)-1].after
	for _, p := range s.samples {
		for _, l := range lines {
			top = max(top, inMebi(l.of(p)))
		}
	}
	step := math.Pow(2, math.Ceil(math.Log2(top/8)))
	top = step * math.Ceil(top/step)
	x := func(t time.Duration) int { return 60 + int(780*t.Seconds()/last.Seconds()) }
	y := func(mebi float64) int { return 320 - int(260*mebi/top) }
	picture := struct {
		Title               string
		End                 int
		Rules, Ticks, Lines []mark
	}{Title: fmt.Sprintf("a server with %d clients: MiB over seconds", soakClients), End: x(s.ended)}
	for at := 0.0; at <= top; at += step {
		picture.Rules = append(picture.Rules, mark{Y: y(at), Text: fmt.Sprint(at)})
	}
	for i := range 7 {
		at := last * time.Duration(i) / 6
		picture.Ticks = append(picture.Ticks, mark{X: x(at), Text: fmt.Sprintf("%.0f", at.Seconds())})
	}
	for i, l := range lines {
		points := &strings.Builder{}
		for _, p := range s.samples {
			fmt.Fprintf(points, "%d,%d ", x(p.after), y(inMebi(l.of(p))))
		}
		picture.Lines = append(picture.Lines, mark{X: 20 + 200*i, Text: l.name, Points: strings.TrimSpace(points.String()),
			Color: l.color})
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return soakPicture.Execute(file, picture)
}
