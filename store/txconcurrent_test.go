package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Goroutines move money between accounts and try again when they conflict; others read, and
// one compacts: everybody always sees all of the money, and no transfer is lost.
func TestTx_Concurrent(t *testing.T) {
	const accounts, writers, transfers, each = 6, 4, 60, 100
	ctx, db := context.Background(), testDB(t)
	seed := testseed.New(t)
	openAccounts(t, db, accounts, each)
	var done, background sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		background.Go(func() {
			again(stop, 0, func() error {
				if got := allMoney(t, db); got != accounts*each {
					return fmt.Errorf("there is %d", got)
				}
				return nil
			}, t.Error)
		})
	}
	background.Go(func() {
		again(stop, 10*time.Millisecond, func() error {
			_, err := db.Compact(ctx, "g")
			return err
		}, t.Error)
	})
	for w := range writers {
		r := rand.New(rand.NewPCG(seed, uint64(w)))
		done.Go(func() {
			for range transfers {
				for err := transfer(db, r, accounts); err != nil; err = transfer(db, r, accounts) {
					if !errors.Is(err, failure.ErrConflict) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	done.Wait()
	close(stop)
	background.Wait()
	must(t, db.Verify(ctx, "g"))
	tx := begin(t, db, "g")
	defer tx.Rollback()
	if n := tx.RelationshipCount(); n != writers*transfers || allMoney(t, db) != accounts*each {
		t.Fatalf("%d transfers are noted instead of %d", n, writers*transfers)
	}
}

// openAccounts makes a graph of accounts with so much money each.
func openAccounts(t *testing.T, db *DB, accounts int, each int64) {
	ctx := context.Background()
	must(t, db.CreateGraph(ctx, "g"))
	tx := begin(t, db, "g")
	for range accounts {
		id, err := tx.CreateNode([]base.Token{tx.NewLabel("Account")})
		must(t, err)
		must(t, tx.SetNodeProperty(id, tx.NewKey("money"), value.OfInt(each)))
	}
	must(t, tx.Commit(ctx))
}

// again does something every so often until it is stopped or tells of an error.
func again(stop <-chan struct{}, every time.Duration, do func() error, tell func(...any)) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(every):
			if err := do(); err != nil {
				tell(err)
				return
			}
		}
	}
}

// transfer moves one from an account to another and notes it.
func transfer(db *DB, r *rand.Rand, accounts uint64) error {
	ctx := context.Background()
	tx, err := db.Begin(ctx, "g", transaction.WriteAccess)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	from, to, key := r.Uint64N(accounts), r.Uint64N(accounts), tx.NewKey("money")
	for account, change := range map[uint64]int64{from: -1, to: 1} {
		if from == to {
			change = 0
		}
		v, err := tx.NodeProperty(account, key)
		if err != nil {
			return err
		}
		if err := tx.SetNodeProperty(account, key, value.OfInt(v.Int()+change)); err != nil {
			return err
		}
	}
	if _, err := tx.CreateRelationship(from, to, tx.NewType("PAID")); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// allMoney is what all accounts have, as one transaction sees them.
func allMoney(t *testing.T, db *DB) (total int64) {
	tx, err := db.Begin(context.Background(), "g", transaction.ReadAccess)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer tx.Rollback()
	err = tx.NodesWith(tx.NewLabel("Account"), func(id uint64) bool {
		v, err := tx.NodeProperty(id, tx.NewKey("money"))
		if err != nil {
			t.Error(err)
			return false
		}
		total += v.Int()
		return true
	})
	if err != nil {
		t.Error(err)
	}
	return total
}
