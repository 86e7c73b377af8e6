// Package grammar is the parser that ANTLR makes of Cypher.g4. Only package parse uses it.
//
// generate.sh says how it is made; what it makes is committed, so that a build needs Go only.
package grammar

//go:generate sh generate.sh
