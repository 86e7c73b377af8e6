// Package cursor reads a result as its client asks for rows:
//
//	PULL n     ─▶ Take ─▶ rows ─▶ message.RowSender
//	DISCARD n  ─▶ Skip
//	RUN of the next statement ─▶ Buffer: the rows that are left, as Records
//	the end    ─▶ Finish: summary, or Abandon
//
// Rows are read from the Result only as they are asked for: a slow client holds back its own statement only.
package cursor
