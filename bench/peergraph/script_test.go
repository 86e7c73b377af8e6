package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
)

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); standIn.MatchString(name) {
		actAsSubway(name, os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestScript has bench/gpu-peers.sh build a bundle and run it, with our CPU device in place of a card, the
// stand-in for Subway's programs below, and a Gunrock that finds no card.
func TestScript(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the script is for Linux: run it there")
	}
	if !long.Tests() {
		t.Skip("builds the whole of penstock, which cannot be shortened: PENSTOCK_LONG=1 runs it")
	}
	folder, bundle, results := t.TempDir(), t.TempDir(), t.TempDir()
	shell(t, nil, `go build -o "$1/penstock" ../../cmd/penstock`, folder)
	shell(t, nil, `cat >"$1/as-cuda" <<-'END'
		#!/usr/bin/env bash
		exec "$(dirname "$0")/penstock" "${@/#cuda/cpu}"
	END
	mkdir -p "$1/peers/subway" "$1/peers/gunrock"
	for program in bfs sssp cc pr; do for way in sync async; do ln -s "$2" "$1/peers/subway/$program-$way"; done; done
	printf '#!/bin/sh\necho "no card" >&2\nexit 1\n' >"$1/peers/gunrock/bfs"
	echo "a stand-in" >"$1/peers/subway/version"
	chmod +x "$1/as-cuda" "$1/peers/gunrock/bfs"
	"$1/penstock" generate --db "$1/db" rmat-10 --scale 10 --weights`, folder, os.Args[0])
	env := []string{"GPU_PEERS=" + filepath.Join(folder, "peers"), "GPU_RUNS=1", "PENSTOCK=" +
		filepath.Join(folder, "as-cuda"), "PENSTOCK_DB=" + filepath.Join(folder, "db")}
	text := shell(t, env, `../gpu-peers.sh build "$1" && "$1/gpu-peers.sh" run "$2/work" "$3" 10`, bundle, folder, results)
	for _, want := range []string{
		`- subway: a stand-in`,
		`(?m)^\| Gunrock \| – \| – \| \|$`,
		`(?m)^\| bfs \|` + times + ` sync: all the same async: all the same \(with all of the card!\)  \|$`,
		`(?m)^\| sssp \|` + times + ` sync: all the same async: all the same`,
		`(?m)^\| wcc \|` + times + ` sync: all the same async: all the same`,
		`(?m)^\| pagerank-delta \|` + times + ` sync: 0\.0\d+ apart in sum async: 0\.0\d+ apart in sum`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if failures := shell(t, nil, `cat "$1/failures.txt"`, results); !strings.Contains(failures,
		"resident-gunrock: no card") {
		t.Errorf("of Gunrock it says %s", failures)
	}
	text = shell(t, env, `rm -r "$1/peers/gunrock" "$1/peers/subway" && "$1/gpu-peers.sh" run "$2/work" "$3" 10`, bundle,
		folder, results)
	for _, peer := range []string{"gunrock", "subway"} {
		if want := "- " + peer + ": – (it was not in the folder GPU_PEERS"; !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}

// times are eight columns: ours are measured, the stand-in's are as it says.
const times = ` [0-9.e-]+ \| [0-9.e-]+ \| 0\.25 \| 0\.5 \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|`

func shell(t *testing.T, env []string, script string, args ...string) string {
	t.Helper()
	command := exec.Command("bash", append([]string{"-euc", script, "bash"}, args...)...)
	command.Env = append(os.Environ(), env...)
	var complaint strings.Builder
	command.Stderr = &complaint
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, text, complaint.String())
	}
	return string(text)
}
