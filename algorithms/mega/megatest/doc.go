// Package megatest has what tests of learners share: published data from ../shared/data beside the module,
// which tests skip without, and seeds that are printed.
package megatest
