// Package transaction is what a client has open: a transaction with the results of its statements.
//
//	BEGIN or RUN ─SettingsOf─▶ Settings ─Open─▶ Transaction
//	BEGIN    ─▶ Begin: several statements, until Commit or Rollback
//	RUN      ─▶ Run ─Engine─▶ a command of the server, or a statement on the graph ─▶ cursor.Cursor
//	PULL     ─▶ Find, cursor, Close
//
// Without Begin, the statement is a transaction of its own, and the database's Result commits it. A transaction ends
// when its client commits it or does nothing with it for too long, when its time is up, or when another client
// terminates it. Its context is done then, and nothing is left open.
package transaction
