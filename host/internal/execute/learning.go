package execute

import (
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// Called begins a command whose epochs tell how long that took until they had ended.
func (p *Progress) Called() { p.took = 0 }

// Learned records an event of a procedure that learns, and tells of its epochs.
func (p *Progress) Learned(e plugins.Event) {
	if p.Learning == nil {
		p.Learning = &report.Learning{}
	}
	l := p.Learning
	if e.Epoch != nil {
		epoch := report.Epoch{Number: e.Epoch.Number, Loss: e.Epoch.Loss, Seconds: (e.Compute - p.took).Seconds()}
		p.took = e.Compute
		l.Epochs = append(l.Epochs, epoch)
		p.learned(epoch)
	}
	for _, w := range e.Work {
		l.Workers = append(l.Workers, report.Worker{Edges: w.Edges, Masters: w.Masters, Mirrors: w.Mirrors,
			LeftMasters: w.LeftMasters, LeftMirrors: w.LeftMirrors, Clocks: w.Clocks,
			Pushed: w.Pushed,
			Pulled: w.Pulled, Waited: w.Waited.Seconds(), Ahead: w.Ahead, Timeline: w.Timeline})
	}
}
