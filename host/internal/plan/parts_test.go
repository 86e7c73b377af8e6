package plan

import (
	"testing"

	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// The parts that devices are given of what is sent have room in the arena, also where slots are larger than the largest
// chunk, as where parts settle.
func TestPlan_PartsHaveRoom(t *testing.T) {
	passing := 0
	for _, g := range goldenGraphs {
		for _, name := range schedule.Names() {
			for _, program := range goldenPrograms {
				for _, devices := range []int{2, 3} {
					terms := goldenTerms(t, g.graph, name, program.program, program.weight,
						plugins.Plan{Settles: true, ActiveRows: true}, devices)
					for share := uint64(5); share < 100; share += 5 {
						terms.Budget = 1000 + 8*g.vertices + GraphBytes(g.graph)*share/100
						p, err := Agree(terms)
						if err != nil {
							continue // it says why
						}
						if p.Fit.Parts.Passing.Length > 0 {
							passing++
						}
						if end := p.Fit.Parts.Passing.End(); end > terms.Arena.Parts.End() {
							t.Errorf("%s, %s, %s, %d devices, %d%%: parts end at %d, the arena at %d", g.name, name, program.name, devices,
								share, end, terms.Arena.Parts.End())
						}
					}
				}
			}
		}
	}
	if passing == 0 {
		t.Error("no plan has parts that pass")
	}
}
