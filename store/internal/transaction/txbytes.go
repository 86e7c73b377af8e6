package transaction

// ChangedBytes is about how much memory the transaction's own changes take: see Options.ChangesBytes.
func (tx *Tx) ChangedBytes() int64 {
	if tx.Draft == nil {
		return 0
	}
	return tx.Draft.Bytes - tx.Draft.Base().Bytes
}
