package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
)

// TestPatterns: what the peers print, as of GAPBS 1.5 and GridGraph 1.1.
func TestPatterns(t *testing.T) {
	for kernel, c := range map[string]struct {
		text string
		want float64
	}{
		"bfs":         {"Trial Time:          0.01730\nBFS Tree has 645911 nodes and 31402000 edges\n", 645911},
		"pagerank":    {"Trial Time: 0.2\n14:0.00061\n9:0.0005\n\nAverage Time:        0.2\n", 0.00061},
		"wcc":         {"\nLargest Cluster Sizes (id: size)\n0:12\nThere are 3 components\n", 3},
		"sssp":        {"SSSP Tree reaches 9 nodes\n", 9},
		"betweenness": {"0:1\n7:0.25\n1:0.125\n5:0.1\n", 0.5},
		"triangles":   {"114 triangles\n", 114},
	} {
		for _, k := range kernels {
			if k.algorithm != kernel {
				continue
			}
			if got, err := readFigure(regexp.MustCompile(k.gapbs.pattern), []byte(c.text)); err != nil || got != c.want {
				t.Errorf("%s: %v, %v; want %v", kernel, got, err, c.want)
			}
		}
	}
	if _, err := readFigure(trialTime, []byte("Segmentation fault")); err == nil {
		t.Error("no error without a time")
	}
}

func TestResultsMustAgree(t *testing.T) {
	exact, close := kernel{algorithm: "wcc"}, kernel{algorithm: "pagerank", tolerance: 1e-3}
	if err := errors.Join(exact.agree("GAPBS", 3, 3), close.agree("GAPBS", 1, 1.0009)); err != nil {
		t.Error(err)
	}
	var disagree *DisagreementError
	if !errors.As(exact.agree("GAPBS", 3, 4), &disagree) || !errors.As(close.agree("Kuzu", 1, 0.99), &disagree) {
		t.Error("different results passed")
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		got, want float64
	}{
		{largest(algorithms.Values{Floats: []float64{1, 4, 2}}), 4},
		{largest(algorithms.Values{Ints: []int64{1, 4, 2}}), 4},
		{secondOverLargest(algorithms.Values{Floats: []float64{1, 4, 2}}), 0.5},
		{reached(algorithms.Values{Ints: []int64{0, algorithms.Unreached, 2}}), 2},
		{distinct(algorithms.Values{Ints: []int64{5, 5, 2}}), 2},
		{thirdOfSum(algorithms.Values{Ints: []int64{1, 1, 1}}), 1},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestPeerIsFound: where all of its programs are; else the first that is missing is named.
func TestPeerIsFound(t *testing.T) {
	dir, p := t.TempDir(), peer{name: "toy", programs: []string{"a", "b"}}
	for _, missing := range p.programs {
		var of *PeerError
		if _, err := p.find(dir); !errors.As(err, &of) || !strings.HasSuffix(of.Found, " "+missing) {
			t.Errorf("%v: it lacks %s", err, missing)
		}
		if err := os.WriteFile(filepath.Join(dir, missing), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := p.find(dir); err != nil || found != dir {
		t.Error(found, err)
	}
}

// TestRounds: by turns, and no further round when the time is over.
func TestRounds(t *testing.T) {
	var turns string
	contend := func(way string) contender {
		return func(context.Context) ([]sample, error) {
			turns += way
			return []sample{{way: way, seconds: 1}}, nil
		}
	}
	found, err := rounds(t.Context(), []contender{contend("a"), contend("b")}, 3, time.Hour)
	if err != nil || turns != "ababab" || len(found.of("a").Seconds) != 3 || found.of("c").measured() {
		t.Error(turns, found, err)
	}
	turns = ""
	if _, err := rounds(t.Context(), []contender{contend("a")}, 3, 0); err != nil || turns != "a" {
		t.Errorf("%q, %v: one round when the time is over", turns, err)
	}
}
