package cuda

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// A card that the kernels are not compiled for is refused with what it has and what is needed.
func TestDescribe_OldCard(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_CAPABILITY", "6")
	_, err := New(Options{}).Describe(t.Context())
	if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(err.Error(), "compute capability 6.0") ||
		!strings.Contains(err.Error(), "7.0 is the least") {
		t.Errorf("%v; expected that 6.0 is too old", err)
	}
}

// What Describe does not offer is refused, and not left out.
func TestCompile_Lanes(t *testing.T) {
	task := plugins.Task{Program: &algorithms.Program{Name: "several"}, Lanes: make([][]algorithms.Constant, 2)}
	if err := new(session).compileTask(task); plugins.KindOf(err) != plugins.KindUnsupported {
		t.Errorf("%v; expected that it runs one lane at a time", err)
	}
}

// Procedures leave no vertices out, which is said before a run.
func TestCompile_MaxDegree(t *testing.T) {
	task := plugins.Task{Procedure: "triangles", Args: algorithms.Args{Ints: map[string]int64{"maxDegree": 4}}}
	err := new(session).compileTask(task)
	if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(err.Error(), "triangles with maxDegree=4") {
		t.Errorf("%v; expected that no vertices are left out", err)
	}
}
