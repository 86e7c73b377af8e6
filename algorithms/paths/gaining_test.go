package paths

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// Without weights no cycle makes a path better, so that these programs cannot diverge: parts of a graph may settle.
func TestPrograms_DivergeByWeightsAlone(t *testing.T) {
	for _, a := range []*algorithms.Algorithm{SSSP, MaxReliability, MinReliability} {
		for weight, want := range map[string]bool{"": false, "w": true} {
			p, err := a.Program(algorithms.Args{Strings: map[string]string{"weight": weight}})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Diverged != ""; got != want {
				t.Errorf("%s by weight %q: diverges %v", a.Name, weight, got)
			}
		}
	}
}
