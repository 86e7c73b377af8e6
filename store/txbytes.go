package store

// ChangedBytes is about how much memory the transaction's own changes take: see Options.ChangesBytes.
func (tx *Tx) ChangedBytes() int64 {
	if tx.draft == nil {
		return 0
	}
	return tx.draft.Bytes - tx.draft.Base().Bytes
}
