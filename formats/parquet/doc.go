// Package parquet reads and writes property graphs, and single tables, as Parquet files.
//
//	nodes.parquet          id · labels · properties              ─┐
//	relationships.parquet  source · target · type · properties   ─┴─▶ Open ─▶ formats.Source ─▶ Write
//
// Any number of files of nodes and of relationships make one graph; their columns tell
// which they are, package table how columns may be called. One file of source and
// target alone is a graph. Rows are the lines of error messages.
//
// A source holds one batch, of formats.BatchRows rows and about 8 MiB at the most, one page
// of each column and the dictionaries of one row group; these together may take a quarter of
// the memory of the load, and the description of the file an eighth. A list or text has at
// most formats.Options.RowLimit bytes, a table formats.MaxColumns columns.
package parquet
