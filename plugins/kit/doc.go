// Package kit is what devices share: a session's budget, the vertex columns and sets of a Layout, and the chunks in the
// arena or in files, for devices that compute with them where they lie.
package kit
