package store_test

import (
	"context"
	"errors"
	"io"

	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/store"
)

func init() {
	store.SetBackups(
		func(ctx context.Context, db *store.DB, dir, path string) error {
			return backup.Create(ctx, path, "", func(w io.Writer, _ *backup.PreviousFile) error {
				return backup.Write(ctx, db, dir, w, backup.Options{})
			})
		},
		func(ctx context.Context, path string) error {
			chain, err := backup.OpenChain(path)
			if err != nil {
				return err
			}
			return errors.Join(chain.Verify(ctx, nil), chain.Close())
		},
		func(ctx context.Context, path, dir string) error {
			chain, err := backup.OpenChain(path)
			if err != nil {
				return err
			}
			_, err = chain.Restore(ctx, dir, backup.RestoreOptions{})
			return errors.Join(err, chain.Close())
		})
}
