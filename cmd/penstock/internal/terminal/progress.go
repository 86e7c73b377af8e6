// Package terminal is what people see of commands, and type: tables, bars, sizes in words, and passwords.
package terminal

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress draws one bar on a terminal and nothing anywhere else.
type Progress struct {
	out  io.Writer
	pool *mpb.Progress
	bar  *mpb.Bar
}

// IsTerminal tells whether w is shown to a person.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// StartProgress starts a bar named after what is being done. The caller calls Done.
func StartProgress(w io.Writer, name string) *Progress {
	if !IsTerminal(w) {
		return &Progress{out: w}
	}
	pool := mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))
	bar := pool.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.Elapsed(decor.ET_STYLE_GO)))
	return &Progress{out: pool, pool: pool, bar: bar}
}

// Set moves the bar to done of total.
func (p *Progress) Set(done, total int64) {
	if p.bar == nil || total <= 0 {
		return
	}
	p.bar.SetTotal(total, false)
	p.bar.SetCurrent(min(done, total))
}

// Say writes a line, above the bar.
func (p *Progress) Say(line string) { fmt.Fprintln(p.out, line) }

// Done takes the bar off the screen.
func (p *Progress) Done() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.pool.Wait()
}
