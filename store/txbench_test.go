package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// benchTx is a transaction over an RMAT graph with weights.
func benchTx(b *testing.B, scale int) *transaction.Tx {
	db, err := Open(scratch(b), Options{Create: true, CacheBytes: 1 << 30})
	must(b, err)
	b.Cleanup(func() { must(b, db.Close()) })
	_, err = db.Load(context.Background(), "g", rmat(b, scale, true), load.Options{Orientation: formats.Directed})
	must(b, err)
	tx, err := db.Begin(context.Background(), "g", transaction.WriteAccess)
	must(b, err)
	b.Cleanup(tx.Rollback)
	return tx
}

// BenchmarkExpand goes through all relationships of all nodes.
func BenchmarkExpand(b *testing.B) {
	tx := benchTx(b, 18)
	for name, dir := range map[string]transaction.Direction{"out": transaction.Out, "in": transaction.In} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			edges, sum := 0, uint64(0)
			for b.Loop() {
				must(b, tx.Nodes(func(id uint64) bool {
					return tx.Expand(id, dir, nil, func(_, other uint64) bool {
						edges++
						sum += other
						return true
					}) == nil
				}))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(edges), "ns/edge")
		})
	}
	b.Run("degree", func(b *testing.B) {
		for b.Loop() {
			_, err := tx.Degree(uint64(b.N)&(1<<18-1), transaction.Out, nil)
			must(b, err)
		}
	})
}

// BenchmarkProperty reads properties of the base: of a node and of a relationship.
func BenchmarkProperty(b *testing.B) {
	tx := benchTx(b, 16)
	r := rand.New(rand.NewPCG(1, 1))
	id, weight := tx.NewKey("id"), tx.NewKey(formats.WeightColumn)
	b.Run("node", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := tx.NodeProperty(r.Uint64N(1<<16), id)
			must(b, err)
		}
	})
	b.Run("relationship", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := tx.RelationshipProperty(r.Uint64N(1<<20), weight)
			must(b, err)
		}
	})
}

// BenchmarkCommit makes graphs of so many nodes a transaction, each with a property and a
// relationship to another.
func BenchmarkCommit(b *testing.B) {
	for _, size := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			ctx := context.Background()
			db, err := Open(scratch(b), Options{Create: true, ChangesBytes: 1 << 40})
			must(b, err)
			defer db.Close()
			must(b, db.CreateGraph(ctx, "g"))
			r := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			for b.Loop() {
				tx, err := db.Begin(ctx, "g", transaction.WriteAccess)
				must(b, err)
				label, typ, key := tx.NewLabel("N"), tx.NewType("T"), tx.NewKey("k")
				for range size {
					id, err := tx.CreateNode([]base.Token{label})
					must(b, err)
					must(b, tx.SetNodeProperty(id, key, value.OfInt(int64(id))))
					_, err = tx.CreateRelationship(id, r.Uint64N(id+1), typ)
					must(b, err)
				}
				must(b, tx.Commit(ctx))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/node")
		})
	}
}
