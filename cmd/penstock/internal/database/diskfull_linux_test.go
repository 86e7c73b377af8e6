package database

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// A full disk is a failure that drivers do not try again, with the store's message: met by a statement that is a
// transaction of its own, and by a commit.
func TestDiskFull_Code(t *testing.T) {
	served := New(openOnSmallDisk(t))
	for name, write := range map[string]func(ctx context.Context, text string) error{
		"statement": func(ctx context.Context, text string) error {
			result, err := served.Run(ctx, "g", backend.Write, text, nil)
			return errors.Join(err, drain(result))
		},
		"transaction": func(ctx context.Context, text string) error {
			tx, err := served.Begin(ctx, "g", backend.Write)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			result, err := tx.Run(ctx, text, nil)
			if err = errors.Join(err, drain(result)); err != nil {
				return err
			}
			_, err = tx.Commit(ctx)
			return err
		},
	} {
		text := "UNWIND range(1, 120) AS i CREATE (:A {text: '" + strings.Repeat("x", 1<<20) + "'})"
		got := status.Of(t.Context(), write(t.Context(), text))
		if got.Code() != "Neo.DatabaseError.Statement.ExecutionFailed" || !strings.Contains(got.Message, "disk full") {
			t.Errorf("%s: %s %.200s", name, got.Code(), got.Message)
		}
	}
}

func drain(result backend.Result) error {
	if result == nil {
		return nil
	}
	for result.Next() {
	}
	return errors.Join(result.Err(), result.Close())
}

// openOnSmallDisk opens a database with an empty graph, on a file system in memory.
func openOnSmallDisk(t *testing.T) *instance.DB {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=96m"); err != nil {
		t.Skip("needs the right to mount a small file system: run it as root: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	db, err := instance.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.CreateGraph(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	return db
}
