package train

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// room is memory that host and devices share, if any has been taken.
type room struct {
	*supply.Cache
	giveBack func() // to the account of the context; nil: nothing was taken
}

// take makes an arena of so many bytes.
func (r *room) take(ctx context.Context, snap *store.Snapshot, size uint64) (err error) {
	if account := memory.Of(ctx); account != nil {
		if err := account.Take(ctx, int64(size)); err != nil {
			return err
		}
		r.giveBack = func() { account.Give(int64(size)) }
	}
	r.Cache, err = supply.NewCache(snap, plan.Arena{}, size)
	return err
}

// giveUp gives it back.
func (r *room) giveUp() {
	if r.Cache != nil {
		r.Close()
	}
	if r.giveBack != nil {
		r.giveBack()
	}
	*r = room{}
}

// tooLarge says whether less would fit: the device's memory, or this program's.
func tooLarge(err error) bool {
	var full *memory.FullError
	return plugins.KindOf(err) == plugins.KindBudget || errors.As(err, &full)
}
