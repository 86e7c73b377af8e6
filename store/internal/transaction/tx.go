// Package transaction is what statements see of a graph and how they change it:
//
//	snapshot ─▶ base ◀─under─ delta ─▶ Tx ─Commit─▶ Log ─▶ the next version of the graph
//
// tx.go is what a transaction is, graph.go how versions follow one another, expand.go how lists of the base are merged
// with changes, index.go how indexes are, commitlog.go how changes get to the disk. compactsource.go streams what a
// transaction sees to a load that makes one snapshot of it, and due.go says when.
package transaction

import (
	"context"
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// Token stands for the name of a label, a relationship type or a property key in one graph,
// as long as it is open.
type Token = delta.Token

// Access says what a transaction may do.
type Access uint8

const (
	ReadAccess Access = iota
	WriteAccess
)

// Direction says which relationships of a node are meant.
type Direction uint8

const (
	Out  Direction = iota // that begin at it
	In                    // that end at it
	Both                  // either; a loop is one
)

// Tx is a transaction: it sees the graph as the commits before its Begin have left it, and
// what it has changed itself (snapshot isolation). It is used by one goroutine and must be
// ended by Commit or Rollback. IDs of nodes and relationships are good until the graph is
// compacted; an open transaction keeps the ids that it began with.
type Tx struct {
	Indexed
	done bool

	deleted []uint64 // nodes since the last CheckDeleted
	// what has been changed since the last CheckConstraints
	unchecked, uncheckedRelationships []uint64
}

// Begin begins a transaction on the graph of that name. When changes take half of what they may, it compacts the graph
// before one that writes.
func (o *Graphs) Begin(ctx context.Context, name string, access Access) (*Tx, error) {
	for {
		g, err := o.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		tx, err := o.beginOn(ctx, g, access)
		if tx != nil || err != nil {
			return tx, err
		}
	}
}

// beginOn is begin on a graph that is open; nil: it was replaced, or is about to be.
func (o *Graphs) beginOn(ctx context.Context, g *Graph, access Access) (tx *Tx, err error) {
	if access == WriteAccess {
		if wait := g.enter(); wait != nil {
			select {
			case <-wait:
				return nil, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		defer func() {
			if tx == nil {
				g.leave()
			}
		}()
	}
	v := g.Current()
	switch {
	case v == nil:
		return nil, nil
	case access == WriteAccess && v.state.Bytes > o.Limit/2:
		v.Base.Release()
		_, err := o.Compact(ctx, g.Name)
		return nil, err
	}
	return NewTx(ctx, g, v, access), nil
}

func NewTx(ctx context.Context, g *Graph, v *version, access Access) *Tx {
	tx := &Tx{Indexed: newIndexed(View{ctx: ctx, Graph: g, Base: v.Base, State: v.state})}
	if access == WriteAccess {
		tx.Draft = v.state.Fork()
		tx.State = &tx.Draft.State
	}
	return tx
}

// Name of the graph.
func (tx *View) Name() string { return tx.Graph.Name }

// Topology is that of the snapshot which the transaction began with: see Manifest.
func (tx *View) Topology() uint64 { return tx.Base.Manifest.Topology() }

// Numbers is the numbering of nodes of the snapshot which the transaction began with: see Manifest.
func (tx *View) Numbers() uint64 { return tx.Base.Manifest.Numbers() }

// Rollback ends the transaction and forgets its changes. After Commit it does nothing.
func (tx *Tx) Rollback() {
	if !tx.done {
		tx.done = true
		tx.Base.Release()
		if tx.Draft != nil {
			tx.Graph.leave()
		}
	}
}

// Commit makes the changes part of the graph, on the disk and for all transactions that
// begin afterwards. Whatever it returns, the transaction has ended.
//
// Errors: *ConflictError, after which the transaction may be run again; *ConnectedError,
// *ConstraintError, *ChangesFullError, *DiskFullError.
func (tx *Tx) Commit(ctx context.Context) error {
	if tx.done {
		return ErrTxDone
	}
	defer tx.Rollback()
	if tx.Draft == nil || !tx.Draft.Changed() {
		return nil
	}
	if err := tx.CheckDeleted(); err != nil {
		return err
	}
	if err := tx.Graph.Acquire(ctx); err != nil {
		return err
	}
	defer tx.Graph.Release()
	return tx.commit()
}

// commit is Commit for who has the token.
func (tx *Tx) commit() error {
	g := tx.Graph
	now := g.Current()
	if now == nil {
		return &failure.ConflictError{Graph: g.Name, Entity: "the whole graph"}
	}
	defer now.Base.Release()
	if e, conflict := tx.Draft.Conflict(now.state); conflict {
		return &failure.ConflictError{Graph: g.Name, Entity: entityName(e.Relationship, e.ID)}
	}
	changes := tx.Draft.Changes()
	next := &version{now.Base, tx.Draft.Commit(now.state, changes)}
	if now.Base != tx.Base { // which may have more indexes than the transaction knew of
		var err error
		if next, err = next.reindexed(); err != nil {
			return err
		}
	}
	if err := tx.room(next.state); err != nil {
		return err
	}
	if err := tx.recheck(now, next); err != nil {
		return err
	}
	if err := g.all.Log.Append(g.Name, g.Log, g.commit+1, changes.Append(nil, g.Vocabulary())); err != nil {
		return err
	}
	g.commit++
	g.become(next)
	return nil
}

// room tells whether a version that the transaction has made takes too much memory; there
// may be more once the graph has been compacted.
func (tx *Tx) room(made *delta.State) error {
	limit, before := tx.Graph.all.Limit, tx.Draft.Base().Bytes
	if made.Bytes <= limit {
		return nil
	}
	tx.Graph.compactSoon()
	return &ChangesFullError{Graph: tx.Graph.Name, Bytes: made.Bytes, Limit: limit,
		Transaction: tx.Draft.Bytes-before > before}
}

// recheck checks constraints once more, if commits since Begin have changed what they are
// about or constraints have been made.
func (tx *Tx) recheck(now, next *version) error {
	if now.state == tx.Draft.Base() && now.Base == tx.Base || len(now.Base.Constraints) == 0 && now.Base.IDs == nil {
		return nil
	}
	now.Base.Hold()
	merged := NewTx(tx.ctx, tx.Graph, next, ReadAccess)
	defer merged.Rollback()
	err := merged.checkConstraints(tx.Draft.ChangedNodes(), tx.Draft.ChangedRelationships())
	var violation *ConstraintError
	if errors.As(err, &violation) {
		violation.Raced = true
	}
	return err
}

func entityName(relationship bool, id uint64) string {
	if relationship {
		return fmt.Sprintf("relationship %d", id)
	}
	return fmt.Sprintf("node %d", id)
}

func (tx *View) nodeDeleted(id uint64) error {
	return &DeletedError{Graph: tx.Graph.Name, Entity: entityName(false, id)}
}

func (tx *View) relationshipDeleted(id uint64) error {
	return &DeletedError{Graph: tx.Graph.Name, Entity: entityName(true, id)}
}
