package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/cmd/penstock/internal/backups"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/internal/server/local"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// bankBackups are the backups that are made of a bank while it is killed and started again.
type bankBackups struct {
	*bank
	dir    string
	whole  []bankBackup
	broken int // by the death of the server
}

type bankBackup struct {
	path  string
	least [bankClients]int64 // the last commit of each writer that was acknowledged before
}

// make makes one after the other, full ones and some that follow the last, until the context ends.
func (b *bankBackups) make(ctx context.Context, r *rand.Rand) {
	for n := 0; ctx.Err() == nil && !b.t.Failed(); n++ {
		made := bankBackup{path: filepath.Join(b.dir, fmt.Sprint(n, ".backup"))}
		options := instance.BackupOptions{Compress: r.IntN(2) == 0}
		if len(b.whole) > 0 && r.IntN(3) > 0 {
			options.Since = b.whole[len(b.whole)-1].path
		}
		for i := range made.least {
			made.least[i] = b.acknowledged[i].Load()
		}
		// By the server only: to open the database here would keep it from starting again.
		err := backups.FromServer(ctx, b.bank.dir, made.path, options, &store.LockedError{})
		switch {
		case err == nil:
			b.whole = append(b.whole, made)
		case errors.Is(err, local.ErrEnded):
			b.broken++
		case !errors.As(err, new(*store.LockedError)) && !errors.Is(err, context.Canceled): // it is down
			b.t.Error(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(100 * time.Millisecond))))
	}
}

// mostRestored bounds how long the test takes.
const mostRestored = 12

// restore restores so many of the backups, the last one in any case: each holds what was acknowledged
// before it was begun, and no half of a commit.
func (b *bankBackups) restore(most int) {
	if len(b.whole) == 0 {
		b.t.Error("no backup was made")
	}
	step := max(1, (len(b.whole)+most-1)/max(1, most))
	for i := len(b.whole) - 1; i >= 0; i -= step {
		b.check(b.whole[i])
	}
	for _, left := range entries(b.t, b.dir) {
		if strings.Contains(left, "unfinished") {
			b.t.Errorf("%s is left of a backup that was broken off", left)
		}
	}
}

func (b *bankBackups) check(made bankBackup) {
	dir := filepath.Join(b.t.TempDir(), "restored")
	_, err := instance.Restore(b.t.Context(), made.path, dir, backup.RestoreOptions{})
	check(b.t, err)
	db, err := instance.Open(dir)
	check(b.t, err)
	defer db.Close()
	if money := askRestored(b.t, db, "MATCH (a:Account) RETURN sum(a.balance)"); money != bankAccounts*bankMoney {
		b.t.Errorf("%s: there is %d of money", made.path, money)
	}
	transfers := int64(0)
	for i, least := range made.least {
		commits := askRestored(b.t, db, fmt.Sprintf("MATCH (w:Writer {number: %d}) RETURN w.commits", i))
		if last := b.acknowledged[i].Load(); commits < least || commits > last {
			b.t.Errorf("%s, writer %d: it has commit %d; %d were acknowledged before, %d in the end", made.path, i, commits,
				least, last)
		}
		transfers += kept(commits)
	}
	if found := askRestored(
		b.t, db, "MATCH (:Account)-[:SENT]->(t:Transfer)-[:RECEIVED]->(:Account) RETURN count(t)"); found != transfers {
		b.t.Errorf("%s: %d transfers, not %d", made.path, found, transfers)
	}
}

func askRestored(t *testing.T, db *instance.DB, statement string) (n int64) {
	t.Helper()
	result, err := db.Query(t.Context(), "g", statement, nil)
	check(t, err)
	defer func(r *query.Result) { check(t, r.Close()) }(result)
	for result.Next() {
		n = result.Row()[0].Int()
	}
	check(t, result.Err())
	return n
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	check(t, err)
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}

// Killed at any moment, a backup leaves no file of its name or a whole one, and a restore no
// database or a whole one.
func TestBackup_Killed(t *testing.T) {
	r := testseed.Rand(t)
	dir := t.TempDir()
	db, out, restored := filepath.Join(dir, "db"), filepath.Join(dir, "out"), filepath.Join(dir, "new")
	penstockCommand(t, "generate", "--db", db, "g", "--scale", "14")
	penstockCommand(t, "query", "--db", db, "--graph", "s", "--create", "CREATE (:A)")
	whole := filepath.Join(dir, "whole")
	took := penstockCommand(t, "backup", "--db", db, whole)
	made := killRepeatedly(r, took, func() *exec.Cmd { return exec.Command("penstock", "backup", "--db", db, out) },
		func() bool {
			if !exists(out) {
				return false
			}
			penstockCommand(t, "backup", "verify", out)
			check(t, os.Remove(out))
			return true
		})
	penstockCommand(t, "verify", "--db", db, "g")
	took = penstockCommand(t, "restore", whole, "--db", filepath.Join(dir, "first"))
	remade := killRepeatedly(r, took, func() *exec.Cmd {
		return exec.Command("penstock", "restore", whole, "--db",
			restored)
	}, func() bool {
		for _, name := range entries(t, dir) {
			if strings.Contains(name, "unfinished") && exists(filepath.Join(dir, name, "FORMAT")) && !exists(restored) {
				// Finished but for its name: it is whole all the same.
				penstockCommand(t, "verify", "--db", filepath.Join(dir, name), "g")
			}
		}
		if !exists(restored) {
			return false
		}
		penstockCommand(t, "verify", "--db", restored, "g")
		penstockCommand(t, "verify", "--db", restored, "s")
		check(t, os.RemoveAll(restored))
		return true
	})
	t.Logf("of %d each, %d backups and %d restores were done before they were killed", killRounds, made, remade)
}

const killRounds = 12

// killRepeatedly kills a command at random moments of about the time that it takes.
func killRepeatedly(r *rand.Rand, took time.Duration, command func() *exec.Cmd, done func() bool) (n int) {
	for range killRounds {
		c := command()
		if c.Start() != nil {
			continue
		}
		time.Sleep(time.Duration(r.Int64N(int64(took) * 5 / 4)))
		_ = c.Process.Kill()
		_ = c.Wait()
		if done() {
			n++
		}
	}
	return n
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func penstockCommand(t *testing.T, args ...string) (took time.Duration) {
	t.Helper()
	started := time.Now()
	if out, err := exec.Command("penstock", args...).CombinedOutput(); err != nil {
		t.Fatalf("penstock %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return time.Since(started)
}
