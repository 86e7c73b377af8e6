// Package arrowipc writes property graphs, and single tables, as Arrow IPC files, which
// Polars, pandas and PyArrow open without conversion.
//
//	Source ──package table──▶ Arrow records ──Writer──▶ nodes.arrow, relationships.arrow
//
// Memory: one batch.
package arrowipc
