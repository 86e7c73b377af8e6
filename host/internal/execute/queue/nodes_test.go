package queue

import (
	"errors"
	"sync"
	"testing"
	"unsafe"

	"github.com/penstock-db/penstock/internal/numa"
	"github.com/penstock-db/penstock/internal/testseed"
)

// twoNodes is a machine of two nodes, 4 and 7, which tells what is placed where, by the address of its first byte.
func twoNodes(refuse error) (machine numa.Machine, placed map[*byte][]int) {
	placed = map[*byte][]int{}
	var mu sync.Mutex
	return numa.Machine{
		Nodes: []numa.Node{{Number: 4, Processors: []int{0}}, {Number: 7, Processors: []int{1}}},
		Stay:  func([]int) {},
		Place: func(memory []byte, node int) error {
			mu.Lock()
			defer mu.Unlock()
			placed[unsafe.SliceData(memory)] = append(placed[unsafe.SliceData(memory)], node)
			return refuse
		},
	}, placed
}

// Each chunk that lies in a file is placed once, on the node whose share it is in, whichever worker cuts it.
func TestNodes_ChunksArePlaced(t *testing.T) {
	rng := testseed.Rand(t)
	e := newEngines(t, rng, stored(t, rng, 13, 100<<10), 3, 0)
	machine, placed := twoNodes(nil)
	e.nodes = newNodes(machine, len(e.Plan.Chunks))
	for range 2 {
		checkCutters(t, e)
	}
	files := 0
	for number, unit := range e.Units {
		for _, chunk := range unit.Chunks {
			view, _, err := e.Supply.View(t.Context(), chunk)
			if err != nil {
				t.Fatal(err)
			}
			nodes := placed[(*byte)(unsafe.Pointer(unsafe.SliceData(view.Neighbors())))]
			want := machine.Nodes[number*2/len(e.Units)].Number
			if !e.Supply.InFile(chunk) {
				if len(nodes) > 0 {
					t.Errorf("chunk %d is a copy, and is placed on %v", chunk, nodes)
				}
				continue
			}
			if files++; len(nodes) != 1 || nodes[0] != want {
				t.Errorf("chunk %d of unit %d of %d is placed on %v, not on %d", chunk, number, len(e.Units), nodes, want)
			}
		}
	}
	if q := e.Rec.Meter.Total().Queue; files < 4 || q.Placed != files || q.Unplaced != 0 {
		t.Errorf("%d chunks lie in files, %+v are placed", files, q)
	}
}

// Where the system does not place chunks, this is counted, and nothing else changes.
func TestNodes_Refused(t *testing.T) {
	rng := testseed.Rand(t)
	e := newEngines(t, rng, stored(t, rng, 13, 100<<10), 3, 0)
	machine, placed := twoNodes(errors.New("not permitted"))
	e.nodes = newNodes(machine, len(e.Plan.Chunks))
	checkCutters(t, e)
	if q := e.Rec.Meter.Total().Queue; q.Placed != 0 || q.Unplaced == 0 || q.Unplaced != len(placed) {
		t.Errorf("%d were refused: %+v", len(placed), q)
	}
}

// On one node nothing is placed, and no worker is held.
func TestNodes_OneNode(t *testing.T) {
	rng := testseed.Rand(t)
	e := newEngines(t, rng, stored(t, rng, 11, 100<<10), 3, 0)
	e.nodes = newNodes(numa.Machine{
		Nodes: []numa.Node{{Processors: []int{0}}},
		Stay:  func([]int) { t.Error("a worker is held") },
		Place: func([]byte, int) error { t.Error("memory is placed"); return nil },
	}, len(e.Plan.Chunks))
	checkCutters(t, e)
}
