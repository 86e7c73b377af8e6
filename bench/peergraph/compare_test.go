package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAgreement(t *testing.T) {
	far := math.Inf(1)
	for _, c := range []struct {
		agreement    func(ours, theirs []float64) string
		ours, theirs []float64
		want         string
	}{
		{equal, []float64{0, 1, far}, []float64{0, 1, far}, "all the same"},
		{equal, []float64{0, 1, far}, []float64{0, 2, 7}, "2 of 3 differ"},
		{alike, []float64{9, 9, 4, 9}, []float64{0, 0, 2, 0}, "all the same"},
		{alike, []float64{9, 9, 4, 9}, []float64{0, 0, 0, 0}, "1 of 4 differ"},
		{alike, []float64{9, 9, 9, 9}, []float64{0, 0, 2, 0}, "1 of 4 differ"},
		{near, []float64{0.25, 0.75}, []float64{1, 3}, "0 apart in sum"},
		{near, []float64{0.5, 0.5}, []float64{1, 3}, "0.5 apart in sum"},
	} {
		if got := c.agreement(c.ours, c.theirs); got != c.want {
			t.Errorf("%v and %v: %s, not %s", c.ours, c.theirs, got, c.want)
		}
	}
}

// TestRead takes the numbers of the matrix for what the graph calls its vertices, and leaves out the spare ones.
func TestRead(t *testing.T) {
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "graph.ids.csv"), []byte("number,id\n1,zwei\n2,eins\n3,drei\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ours, err := readOurs(directory, written(t, "id,depth\neins,1\ndrei,\nzwei,0\n"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := readTheirs(written(t, "0 0\n1 1\n2 4294967294\n3 4294967294\n4 4294967294\n"), len(ours))
	if want := []float64{0, 1, math.Inf(1)}; err != nil || !slices.Equal(ours, want) || !slices.Equal(theirs, want) {
		t.Errorf("ours are %v, theirs %v, %v", ours, theirs, err)
	}
	if _, err := readTheirs(written(t, "0 0\n2 1\n"), 2); err == nil || !strings.Contains(err.Error(), ":2:") {
		t.Errorf("a vertex is left out: %v", err)
	}
}
