package app

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// ErrNoDirectory is a command line that names no database.
var ErrNoDirectory = cli.UsageError{Err: errors.New("--db DIR is missing: which database? (or set PENSTOCK_DB)")}

// open opens the database that --db names. A damaged one is opened for reading only, whatever is to be done with it.
func (a *App) open(options instance.Options, expected host.Expected) (*instance.DB, error) {
	if a.Dir == "" {
		return nil, ErrNoDirectory
	}
	options.ReadOnly = a.ReadOnly
	db, err := instance.OpenExpecting(a.Dir, options, expected)
	if damaged := (*store.DamagedDatabaseError)(nil); errors.As(err, &damaged) {
		options.ReadOnly = true
		db, err = instance.OpenWith(a.Dir, options)
	}
	if !a.ReadOnly && (errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EACCES)) {
		err = fmt.Errorf("%w; --read-only opens it for reading", err)
	}
	if err != nil {
		return nil, err
	}
	if damage := db.Damage(); len(damage) > 0 {
		fmt.Fprintf(a.Err, "penstock: %v\n", &store.DamagedDatabaseError{Dir: a.Dir, Damage: damage})
	}
	return db, nil
}

// WithDB opens the database that --db names, calls do and closes it.
func (a *App) WithDB(options instance.Options, do func(*instance.DB) error) error {
	return a.WithDBExpecting(options, host.Expected{}, do)
}

// WithDBExpecting is WithDB for a command that knows what it will want then.
func (a *App) WithDBExpecting(options instance.Options, expected host.Expected, do func(*instance.DB) error) error {
	db, err := a.open(options, expected)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}
