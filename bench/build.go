package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// peer is a suite of programs that make builds from sources that the user has.
type peer struct {
	name     string
	file     string   // that its sources have
	flags    []string // of make
	programs []string // that it leaves
	edit     edit     // of the copy that is built; without one the user's own programs do
	source   string   // where to get it
}

var (
	gapbsPeer = peer{"GAPBS", "src/pr_spmv.cc", nil,
		[]string{"bc", "bfs", "cc", "converter", "pr_spmv", "sssp", "tc"}, edit{}, "https://github.com/sbeamer/gapbs"}
	gridPeer = peer{"GridGraph", "core/graph.hpp", []string{gridFlags},
		[]string{"bin/preprocess", "bin/bfs", "bin/pagerank", "bin/wcc"}, gridBudget, "https://github.com/thu-pacman/GridGraph"}
)

// edit replaces a piece of text in some files.
type edit struct {
	files    []string
	old, new string
}

func (e edit) apply(dir string) error {
	for _, name := range e.files {
		name = filepath.Join(dir, name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, bytes.ReplaceAll(text, []byte(e.old), []byte(e.new)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// PeerError says what of a peer is missing, and what to do.
type PeerError struct{ Peer, Found, Do string }

func (e *PeerError) Error() string { return fmt.Sprintf("bench: %s: %s; %s", e.Peer, e.Found, e.Do) }

// buildPeers turns directories of sources into directories of programs.
func (o Options) buildPeers(ctx context.Context, temporary string) (_ Options, err error) {
	if o.GAPBS != "" {
		if o.GAPBS, err = gapbsPeer.build(ctx, o.GAPBS, o); err != nil {
			return o, err
		}
	}
	if o.Grid != "" {
		if o.Grid, err = gridPeer.build(ctx, o.Grid, o); err != nil {
			return o, err
		}
	}
	if o.Kuzu != "" {
		o.Kuzu, err = buildKuzu(ctx, o.Kuzu, temporary, o)
	}
	return o, err
}

// build is the directory of p's programs: dir itself when all are there already, else a copy
// below the user's cache, which is built once. Nothing is written to dir.
func (p peer) build(ctx context.Context, dir string, o Options) (string, error) {
	if p.edit.files == nil && p.missing(dir) == "" {
		return filepath.Abs(dir)
	}
	if _, err := os.Stat(filepath.Join(dir, p.file)); err != nil {
		return "", &PeerError{p.name, fmt.Sprintf("%s has neither its programs nor the source %s", dir, p.file),
			fmt.Sprintf("give the directory of its sources (%s), where make has been run or can be", p.source)}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	built := filepath.Join(cache, "penstock", "bench", p.name)
	if p.missing(built) == "" {
		return built, nil
	}
	o.step("build %s in %s", p.name, built)
	return built, p.makeIn(ctx, built, dir)
}

// missing is the first of p's programs that dir lacks.
func (p peer) missing(dir string) string {
	for _, program := range p.programs {
		if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
			return program
		}
	}
	return ""
}

func (p peer) makeIn(ctx context.Context, built, sources string) error {
	if err := p.needs("make", "g++"); err != nil {
		return err
	}
	if err := os.RemoveAll(built); err != nil {
		return err
	}
	if err := os.CopyFS(built, os.DirFS(sources)); err != nil {
		return err
	}
	if err := p.edit.apply(built); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "make", p.flags...)
	command.Dir = built
	_, _, err := output(ctx, command)
	return err
}

// needs says which of the tools this machine lacks.
func (p peer) needs(tools ...string) error {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return &PeerError{p.name, "there is no " + tool + " to build it with", "install " + tool + ", or leave " + p.name + " out"}
		}
	}
	return nil
}
