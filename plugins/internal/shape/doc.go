// Package shape tells what a program computes from the form of its checked expressions, for devices that have
// a faster way for a form than to evaluate. They never go by a program's name.
//
//	CheckedExpr ──Normal──▶ the same, plainer ──Split──▶ Process: message of the source ∘ property of the edge
//	Program ──WithoutDefault──▶ Program ──Improves──▶ whether its state only gets better
package shape
