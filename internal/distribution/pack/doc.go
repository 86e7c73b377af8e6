// Package pack makes packages of plugins, and unpacks them.
//
//	FOLDER: plugin.yaml, programs, files ──Pack──▶ NAME_VERSION_OS_ARCH.tar.zst, one for each platform
//	package ──Unpack──▶ FOLDER, every file of which is as its manifest says ──Check──▶ and still is
//
// The manifest is the first file of a package, written anew: it has the SHA-256 of every other file, and of the
// programs of all other platforms. So who knows the SHA-256 of the manifest knows all of the plugin.
package pack

import "fmt"

// Suffix of packages' names.
const Suffix = ".tar.zst"

// ContentError is a file that is not what the manifest says.
type ContentError struct {
	File   string // as in the manifest
	Reason string
}

func (e *ContentError) Error() string { return fmt.Sprintf("%s: %s", e.File, e.Reason) }
