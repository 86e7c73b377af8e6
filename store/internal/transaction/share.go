package transaction

// Share is a reader of the same transaction for another goroutine, until the transaction ends;
// false: the transaction may write.
func (tx *Tx) Share() (*Tx, bool) {
	if tx.Draft != nil || tx.done {
		return nil, false
	}
	return &Tx{Indexed: newIndexed(View{ctx: tx.ctx, Graph: tx.Graph, Base: tx.Base, State: tx.State}), done: true}, true
}
