package transaction

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// ErrTxDone says that a transaction is used after its Commit or Rollback.
var ErrTxDone = errors.New("the transaction has ended; begin another")

// ErrReadOnly says that a transaction that was begun with ReadAccess is to change something.
var ErrReadOnly = errors.New("the transaction may only read; begin one with write access")

// DeletedError says that a node or relationship is no more.
type DeletedError struct {
	Graph, Entity string // "node 7"
}

func (e *DeletedError) Error() string {
	return fmt.Sprintf("graph %q: %s has been deleted; use what is needed of it before it is", e.Graph, e.Entity)
}

// ConnectedError says that a node was deleted and its relationships were not.
type ConnectedError struct {
	Graph         string
	Node          uint64
	Relationships uint64
}

func (e *ConnectedError) Error() string {
	return fmt.Sprintf(
		"graph %q: node %d cannot be deleted: it still has %d relationships; delete these too (DETACH DELETE)", e.Graph,
		e.Node, e.Relationships)
}

// ChangesFullError says that changes take more memory than Options.ChangesBytes allows.
type ChangesFullError struct {
	Graph       string
	Bytes       int64 // that they would take
	Limit       int64
	Transaction bool // those of one transaction do
}

func (e *ChangesFullError) Error() string {
	what, remedy := "the changes since the last compaction", "compact the graph"
	if e.Transaction {
		what, remedy = "the changes of this transaction", "commit more often"
	}
	return fmt.Sprintf(
		"graph %q: %s take %s, more than the %s allowed; %s, or open the database with a higher Options.ChangesBytes",
		e.Graph, what, humanize.IBytes(uint64(e.Bytes)), humanize.IBytes(uint64(e.Limit)), remedy)
}

// IDError says why a node cannot bear an id in a graph whose nodes have ids of the user's.
type IDError struct {
	Graph, ID, Reason string
}

func (e *IDError) Error() string {
	return fmt.Sprintf("graph %q: the property %q of a node cannot be %s: it %s", e.Graph, manifest.IdProperty, e.ID,
		e.Reason)
}

// LabelError says that no node can have this label.
type LabelError struct{ Label string }

func (e *LabelError) Error() string {
	return fmt.Sprintf("label %q: a label has a name, without %q in it", e.Label, manifest.LabelSeparator)
}
