// Package vector has what oracles need of vectors.
package vector
