package store

// Share is a reader of the same transaction for another goroutine, until the transaction ends;
// false: the transaction may write.
func (tx *Tx) Share() (*Tx, bool) {
	if tx.draft != nil || tx.done {
		return nil, false
	}
	return &Tx{ctx: tx.ctx, graph: tx.graph, base: tx.base, state: tx.state, done: true}, true
}
