// Package random draws numbers that are the same on every device: by a seed, and what they are drawn for.
package random
