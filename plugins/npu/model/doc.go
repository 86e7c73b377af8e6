// Package model writes a vertex program's messages as operators on matrices, and runs them.
//
//	For    program, size ──▶ Plan: which form, how many bytes          (plan.go, package shape)
//	Build  edges         ──▶ Model: the matrix, made ready             (model.go)
//	Send   columns       ──▶ accumulators, of one or many lanes        (model.go)
//	Unroll columns       ──▶ states after each of several steps        (unrolled.go)
//
// A matrix has a row for each vertex that receives and a column for each that sends. What is computed
// a vertex at a time is computed here, exactly, by plugins/internal/vector; what takes all pairs is the
// runtime's. A program gets one of six forms:
//
//	counting    a matrix of how many edges lead from u to v, in one byte each, times rows of
//	            bytes: MatMulInteger. The bytes are digits of numbers to be added up (digits.go,
//	            words.go), or tell who sends which value, where the best is wanted (levels.go):
//	            whole numbers, so that the result is exact                (counting.go)
//	labels      states that are passed on as they are, of which the least or largest
//	            counts, by their numbers in bytes: Max and ReduceMin      (labels.go)
//	product     a matrix of weights times messages: MatMul                (product.go)
//	tropical    weight and message meet in one operator, and the least or largest of each row
//	            is taken: the paper's Add and ReduceMin, with blocks of rows bound once (tropical.go);
//	            in bytes, where weights are small whole numbers           (bytes.go)
//	            or few different ones of which only the order counts      (ranks.go)
//	expression  any Process, an operator at a time over blocks of rows    (expression.go)
//	paper       the paper's operators as they are, over the whole matrix at once, in the type of
//	            numbers that a provider has; for comparison, and for providers without
//	            double precision                                          (paper.go)
//
// In the paper's form, Unroll does several steps in one run, of programs whose state becomes the better of itself and
// what comes: not every provider has Loop, and a run waits for its beginning and its end. It brings the states
// after each step, of which the caller sees when nothing changes any more (unrolled.go). The other forms leave
// blocks of rows out that nothing can better, which they look for between steps.
//
// What forms have in common is below: matrices in blocks of rows, and how the runtime goes over them
// (internal/blockwise), and expressions as ONNX graphs (internal/translation).
//
// A form that is not right for the weights of a graph (infinite ones, say) gives way to the expression, and
// for messages that it is not right for it has an expression go over its own matrix (careful.go).
//
// # How exact
//
// On the processor (the provider cpu) values are doubles and int64, as algorithms has them; sums of doubles
// are within 1e-9 of the oracle's, as a share of it. Where a provider has smaller numbers, Plan.Kernel says
// within what, and numbers that come near its infinity are refused. An operator that cannot be written so has
// the program refused, by name (plugins.KindUnsupported).
package model
