package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress draws one bar on a terminal and nothing anywhere else.
type progress struct {
	out  io.Writer
	pool *mpb.Progress
	bar  *mpb.Bar
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// newProgress starts a bar named after what is being done. The caller calls done.
func newProgress(w io.Writer, name string) *progress {
	if !isTerminal(w) {
		return &progress{out: w}
	}
	pool := mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
	bar := pool.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.Elapsed(decor.ET_STYLE_GO)))
	return &progress{out: pool, pool: pool, bar: bar}
}

// set moves the bar to done of total.
func (p *progress) set(done, total int64) {
	if p.bar == nil || total <= 0 {
		return
	}
	p.bar.SetTotal(total, false)
	p.bar.SetCurrent(min(done, total))
}

// say writes a line, above the bar.
func (p *progress) say(line string) { fmt.Fprintln(p.out, line) }

// done takes the bar off the screen.
func (p *progress) done() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.pool.Wait()
}
