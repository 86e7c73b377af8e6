//go:build !amd64

package vector

import "github.com/penstock-db/penstock/algorithms/neural/dataflow"

const detected = Plain

func addTiles(*float32, int, *float32, int, int, *float32, int, int, int, int) bool { return false }

func unary(dataflow.Op, *float32, *float32, int, float32) bool { return false }

func binary(dataflow.Op, *float32, *float32, *uint32, *float32, *uint32, int, int) bool { return false }

// Nothing calls these where the level is Plain.

func scaleParts(_, _, _ *float32, _, _, _ int)                                    {}
func addScaled(_, _, _, _, _ *float32, _, _, _, _, _, _ int)                      {}
func sumScaled(_, _, _ *float32, _, _, _ int)                                     {}
func dotParts(_, _ *float32, _ *uint32, _ *float32, _ *uint32, _, _, _ int)       {}
func dots(_, _, _ *float32, _ *uint32, _, _ int)                                  {}
func squares(_, _, _ *float32, _ *uint32, _, _ int)                               {}
func subtractSquares(_, _, _ *float32, _, _ int)                                  {}
func fillEight(_, _ *float32, _ *uint32, _, _ int)                                {}
func sift(_ *uint32, _ *float32, _ int, _, _ *float32)                            {}
func addTo(_ *float64, _ *float32, _ *int64, _, _, _, _ int)                      {}
func maxRows(_, _ *float32, _ *uint32, _, _ int)                                  {}
func scatter(_ *float32, _ *uint32, _ *float32, _ int, _ *float32, _ int)         {}
func vertexKeys(_ *uint64, _ uint64, _ int, _ uint64)                             {}
func edgeKeys(_ *uint64, _, _ *uint32, _ int, _ uint64)                           {}
func maskOne(_, _ *float32, _ *uint64, _ int, _ uint64, _ float32)                {}
func maskFlat(_, _ *float32, _ *uint64, _, _ int, _ *uint64, _ uint64, _ float32) {}
func maskRows(_, _ *float32, _ *uint64, _, _ int, _ uint64, _ float32)            {}
func maskWide(_, _, _ *float32, _ *uint64, _, _ int, _ uint64, _ float32)         {}
func maskSparse(_ *float32, _ *uint32, _ *float32, _ *uint32, _ int, _, _ uint64, _ float32) int {
	return 0
}
func addWhole(_ int, _, _ *float32, _ *uint32, _ *float32, _ *uint32, _, _ *float32, _, _, _, _ int) {
}
func addWeighted(_ int, _, _ *float32, _ *uint32, _ *float32, _ *uint32, _, _, _, _, _, _ *float32, _ *uint32,
	_, _, _, _, _ int) {
}
func addSections(_ int, _, _, _ *float32, _ *uint32, _ *float32, _ *uint8, _ uint64, _, _, _, _ int) {
}
func maskColumn(_ *float32, _ *uint32, _ *float32, _ *uint32, _ int, _ *uint64, _, _, _ uint64, _ float32) int {
	return 0
}
func sumRuns(_ *float32, _ *uint32, _ *float32, _, _ int)      {}
func ownRuns(_, _ *uint32, _ *int64, _, _, _, _ int) int       { return 0 }
func maxLists(_, _ *float32, _ *uint32, _ *int64, _, _ int)    {}
func sumLists(_, _ *float32, _ *uint32, _ *int64, _, _, _ int) {}
func lessMost(_, _, _ *float32, _, _ int)                      {}
func elus(_, _, _ *float32, _ int)                             {}
func peak(bool, int)                                           {}
func scores(_ int, _ *float32, _ *uint32, _ *float32, _ *uint32, _ *float32, _ *uint32, _ *float32, _ *uint32, _, _, _, _,
	_ *float32, _, _ int, _ float32) {
}
func drawnScores(_ int, _ *float32, _ *uint32, _ *float32, _ *uint32, _ *float32, _ *uint32, _ *float32, _ *uint32,
	_, _, _, _, _ *float32, _, _ int, _ float32, _, _ *uint64, _ uint64, _ float32) {
}

var shareKernels []shareKernel
