// Package examples holds plugins as third parties write them. `penstock plugin new` begins with them: what it makes is
// what is tested here.
package examples

import "embed"

// Files are the sources, in a folder for each example.
//
//go:embed algorithm/*.go ties/*.go plugin/*.go plugin/reference/*.go
var Files embed.FS
