// Package parquet reads and writes property graphs, and single tables, as Parquet files.
//
//	nodes.parquet          id · labels · properties              ─┐
//	relationships.parquet  source · target · type · properties   ─┴─▶ Open ─▶ formats.Source ─▶ Write
//
// Any number of files of nodes and of relationships make one graph; their columns tell
// which they are, package table how columns may be called. One file of source and
// target alone is a graph. Rows are the lines of error messages.
//
// A source holds one batch of formats.BatchRows rows, one page of each column and the
// dictionaries of one row group.
package parquet
