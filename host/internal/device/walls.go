package device

import "github.com/penstock-db/penstock/host/internal/report"

// Walls are those of all devices.
func (g *Group) Walls() []report.Wall { return Walls(g.Devices) }

// Walls are those of these devices.
func Walls(devices []*Device) (all []report.Wall) {
	for _, d := range devices {
		for _, s := range d.Plugin.Walls {
			all = append(all, report.Wall{Device: d.Name, Wall: string(s.Wall), Stands: s.Stands, How: s.How, Why: s.Why})
		}
	}
	return all
}
