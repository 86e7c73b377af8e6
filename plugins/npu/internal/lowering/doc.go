// Package lowering writes a stage of a neural network as a model of ONNX's operators on matrices:
//
//	Stage   dataflow.Stage, Size ──▶ Model: a block of rows through all waves    (stage.go)
//	Pairs   a wave of a grid.Stage ──▶ Model: what some columns add to some rows  (wave.go)
//	Rows    a wave of a grid.Stage ──▶ Model: what is computed row by row         (wave.go)
//	Small   parameters of parameters ──▶ Model                                   (stage.go)
//
// Rows of vertices are a matrix of rows × width, and products with parameters are MatMul (rows.go, elements.go). What
// lies at edges is a matrix of pairs for each column, width × rows × columns: whether there is an edge or not, it is
// computed, and what is gathered is masked by how many edges a pair has (pairs.go). So
//
//	Gather(Source x)          is  C · x                       C: of each pair, how many edges it has
//	Gather(s · Source x)      is  (s ∘ C) · x                 for each part of x that a number of s goes with
//	SumParts(Target x · Source y)  is  x · yᵀ                 for each part
//	Gather of anything else   is  the sum of masked rows, or their largest
//
// An operator that is not among them is refused by name.
package lowering
