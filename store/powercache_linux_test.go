package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/durable"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/powercut"
)

// A disk that loses all that was not flushed, right after something was acknowledged, has it. Before that moment the
// file system writes its own journal, so that removed files are gone: it syncs an unrelated file.
func TestPower_NothingNeedsTheCache(t *testing.T) {
	long.Unraced(t)
	disk, err := powercut.New(scratch(t), 1<<29)
	if err != nil {
		t.Skip("needs root, /dev/fuse, a loop device and mkfs.ext4 (Debian: fuse3, e2fsprogs): ", err)
	}
	defer func() { must(t, disk.Close()) }()
	dir := filepath.Join(disk.Mounted(), "db")
	for _, c := range []struct {
		work   string
		graphs []string
	}{{"powerload", []string{"a", "b"}}, {"powercommit", []string{"a", "b", "written"}},
		{"powerrewrite", []string{"a", "b", "written"}}} {
		t.Run(c.work, func(t *testing.T) {
			lost := loseCacheAfter(t, disk, c.work, dir)
			must(t, disk.Mount())
			defer func() { must(t, disk.Unmount()) }()
			reopen(t, dir, func(db *DB) {
				for _, graph := range c.graphs {
					must(t, db.Verify(t.Context(), graph))
				}
			})
			t.Logf("%d writes were lost", lost)
		})
	}
}

// loseCacheAfter has a process do its work, and the power fail once it says that this is done.
func loseCacheAfter(t *testing.T, disk *powercut.Disk, work, dir string) (lost int) {
	t.Helper()
	const never = 1 << 40
	_, err := disk.MountToFail(",commit=600", never)
	must(t, err)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+work, childDirEnv+"="+dir)
	var complaint strings.Builder
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	_, unsaid := bufio.NewReader(out).ReadString('\n')
	disk.Fail()
	_ = child.Process.Kill()
	disk.PowerOff()
	_ = child.Wait()
	must(t, disk.Unmount())
	if unsaid != nil {
		t.Fatal(complaint.String())
	}
	lost, err = disk.LoseCache()
	must(t, err)
	return lost
}

func init() {
	children["powerload"] = powerAfter(func(ctx context.Context, db *DB) error {
		return errors.Join(crashLoad(db, "a", 1), crashLoad(db, "b", 2))
	})
	children["powercommit"] = powerAfter(func(ctx context.Context, db *DB) error {
		if err := db.CreateGraph(ctx, "written"); err != nil {
			return err
		}
		for i := range 100 { // more than a value log has
			if err := commitNode(ctx, db, fmt.Sprint(i, strings.Repeat("x", 20_000))); err != nil {
				return err
			}
		}
		return nil
	})
	children["powerrewrite"] = powerAfter(func(ctx context.Context, db *DB) error {
		if err := crashLoad(db, "a", 3); err != nil { // half of the logs is waste now
			return err
		}
		before, err := db.Space()
		if err != nil {
			return err
		}
		if err := db.CollectGarbage(ctx); err != nil {
			return err
		}
		after, err := db.Space()
		if err == nil && after.Logs >= before.Logs {
			err = fmt.Errorf("no log was rewritten: %+v, %+v", before, after)
		}
		return err
	})
}

// powerAfter does work, has the file system write its journal, says so, and waits for the end.
func powerAfter(work func(ctx context.Context, db *DB) error) func(dir string, _ uint64) error {
	return func(dir string, _ uint64) error {
		db, err := Open(dir, Options{Create: true})
		if err != nil {
			return err
		}
		if err := work(context.Background(), db); err != nil {
			return err
		}
		if err := durable.Replace(dir+".unrelated", []byte("x"), 0o600); err != nil {
			return err
		}
		fmt.Println("done")
		select {}
	}
}
