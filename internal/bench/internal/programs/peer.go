package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// peer is a suite of programs that the user has built.
type peer struct {
	name     string
	programs []string
	source   string // where it can be had
}

var (
	gapbsPeer = peer{"GAPBS", []string{"bc", "bfs", "cc", "converter", "pr_spmv", "sssp", "tc"},
		"https://github.com/sbeamer/gapbs"}
	gridPeer = peer{"GridGraph", []string{"bin/preprocess", "bin/bfs", "bin/pagerank", "bin/wcc"},
		"https://github.com/thu-pacman/GridGraph"}
)

// PeerError says what of a peer is missing, and what to do.
type PeerError struct{ Peer, Found, Do string }

func (e *PeerError) Error() string { return fmt.Sprintf("bench: %s: %s; %s", e.Peer, e.Found, e.Do) }

// FindPrograms makes sure of the peers' programs and of penstock, and builds Penstock's own client of Kuzu.
func FindPrograms(ctx context.Context, o measure.Options, temporary string) (_ measure.Options, err error) {
	if o.GAPBS != "" {
		if o.GAPBS, err = gapbsPeer.find(o.GAPBS); err != nil {
			return o, err
		}
	}
	if o.Grid != "" {
		if o.Grid, err = gridPeer.find(o.Grid); err != nil {
			return o, err
		}
	}
	if o.Kuzu != "" {
		if o.Kuzu, err = buildKuzu(ctx, o.Kuzu, temporary, o); err != nil {
			return o, err
		}
	}
	o.Penstock, err = findPenstock(ctx, o, temporary)
	return o, err
}

// find is the directory of p's programs, as a path from the root.
func (p peer) find(dir string) (string, error) {
	for _, program := range p.programs {
		if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
			return "", &PeerError{p.name, dir + " has no program " + program, "build it there first (" + p.source + ")"}
		}
	}
	return filepath.Abs(dir)
}

// needs says which of the tools this machine lacks.
func (p peer) needs(tools ...string) error {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return &PeerError{p.name, "there is no " + tool + " to build it with", "install " + tool + ", or leave " + p.name +
				" out"}
		}
	}
	return nil
}
