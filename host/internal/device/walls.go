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

// Memory is what the processes of all devices took.
func (g *Group) Memory() []report.ProcessMemory { return Memory(g.Devices) }

// Memory is what the processes of these devices took.
func Memory(devices []*Device) (all []report.ProcessMemory) {
	for _, d := range devices {
		limit, seen := d.Plugin.Memory()
		if seen.Most == 0 { // the system does not say
			return nil
		}
		all = append(all, report.ProcessMemory{Device: d.Name, Limit: limit.Bytes(), Own: seen.Own, Resident: seen.Most})
	}
	return all
}
