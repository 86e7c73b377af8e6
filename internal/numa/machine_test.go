package numa

import (
	"reflect"
	"testing"
	"testing/fstest"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }

func TestRead_TellsProcessorsByNode(t *testing.T) {
	nodes, err := read(fstest.MapFS{
		"node0/cpulist": file("0-2,6"), "node3/cpulist": file("3,4-5"),
		"node2/cpulist": file(""), // memory alone
		"nodes/cpulist": file("7"), "online": file("0-2"), "node0/meminfo": file("x"),
	})
	if want := []Node{{0, []int{0, 1, 2, 6}}, {3, []int{3, 4, 5}}}; err != nil || !reflect.DeepEqual(nodes, want) {
		t.Errorf("%v, %v; want %v", nodes, err, want)
	}
}

func TestRead_RefusesWhatIsNoList(t *testing.T) {
	for _, list := range []string{"a", "0-", "3-1", ",", "0,,1", "-1", "0-99999999999"} {
		if nodes, err := read(fstest.MapFS{"node0/cpulist": file(list)}); err == nil {
			t.Errorf("%q: %v", list, nodes)
		}
	}
}
