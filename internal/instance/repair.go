package instance

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/store"
)

// Repaired is what became of a database that was copied.
type Repaired struct {
	*store.Repaired
	Models []RepairedModel
}

// RepairedModel is what became of a model.
type RepairedModel struct {
	Name string
	Lost error // nil: it is there, whole
}

// Repair copies what is whole of the database at dir to a new one at to, its models too, and tells what is gone. See
// store.Repair.
func Repair(ctx context.Context, dir, to string) (*Repaired, error) {
	graphs, err := store.Repair(ctx, dir, to)
	if err != nil {
		return nil, err
	}
	done := &Repaired{Repaired: graphs}
	from, whole := Models{dir, true}, Models{to, false}
	names, err := from.Names()
	for _, name := range names {
		_, file, lost := from.read(name)
		if lost != nil {
			done.Damage = append(done.Damage, lost)
		} else if err := whole.write(name, file); err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		done.Models = append(done.Models, RepairedModel{name, lost})
	}
	return done, err
}
