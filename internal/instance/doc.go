// Package instance is one open database: the store, the engine that runs algorithms, the engine that runs statements,
// and the memory that they share.
//
//	cmd/penstock, internal/server ──▶ DB ──▶ store   graphs, snapshots, transactions
//	penstock, the public package  ──▶    ──▶ host    runs on devices
//	                                     ──▶ query   statements
//
// The command line works with it directly; programs of others do so through package penstock, which has types of its
// own.
package instance
