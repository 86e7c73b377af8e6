// Package parse reads openCypher statements.
//
//	text ─scan─▶ tokens ─grammar (ANTLR)─▶ contexts ─build─▶ ast
//
// The scanner is by hand: it is the part that sees every byte, it names what is wrong with a
// number as openCypher's TCK does, and by looking ahead it spares the grammar the few decisions
// that would need more than a token or two. The parser first predicts without the context of the
// caller (SLL), which is linear; only a statement that this refuses is parsed once more by LL,
// and if refused again, that is the error. Contexts of a pattern or of an element of a list are
// dropped as soon as their syntax tree is built, so a statement of a million patterns takes the
// memory of its tokens and its tree.
package parse
