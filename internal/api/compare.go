package main

import (
	"bytes"
	"fmt"
	"go/types"
	"io"
	"os"
	"os/exec"

	"golang.org/x/exp/apidiff"

	"github.com/penstock-db/penstock/internal/gosource"
)

// compare writes what changed in the public packages since a revision. It fails when a program that compiled then might
// not compile now.
func compare(w io.Writer, module *gosource.Module, revision string) error {
	dir, err := os.MkdirTemp("", "api")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := checkOut(dir, revision); err != nil {
		return err
	}
	before, err := gosource.Load(dir, public...)
	if err != nil {
		return err
	}
	breaking, err := difference(w, before, module)
	if err != nil {
		return err
	}
	if breaking > 0 {
		return fmt.Errorf("%d changes since %s may break programs", breaking, revision)
	}
	return nil
}

// difference writes what changed from one state of the packages to another, and counts the changes that may break
// programs.
func difference(w io.Writer, before, now *gosource.Module) (breaking int, err error) {
	then := map[string]*types.Package{}
	for _, pkg := range before.Packages {
		then[pkg.Path] = pkg.Types
	}
	for _, pkg := range now.Packages {
		old := then[pkg.Path]
		if old == nil {
			fmt.Fprintf(w, "%s is new\n", pkg.Path)
			continue
		}
		report := apidiff.Changes(old, pkg.Types)
		if len(report.Changes) == 0 {
			continue
		}
		fmt.Fprintln(w, pkg.Path)
		if err := report.Text(w); err != nil {
			return 0, err
		}
		for _, change := range report.Changes {
			if !change.Compatible {
				breaking++
			}
		}
	}
	return breaking, nil
}

// checkOut puts the files of a revision in dir.
func checkOut(dir, revision string) error {
	var archive, stderr bytes.Buffer
	git := exec.Command("git", "archive", "--format=tar", revision)
	git.Stdout, git.Stderr = &archive, &stderr
	if err := git.Run(); err != nil {
		return fmt.Errorf("git archive %s: %w: %s", revision, err, stderr.Bytes())
	}
	tar := exec.Command("tar", "-x", "-C", dir)
	tar.Stdin, tar.Stderr = &archive, &stderr
	if err := tar.Run(); err != nil {
		return fmt.Errorf("tar: %w: %s", err, stderr.Bytes())
	}
	return nil
}
