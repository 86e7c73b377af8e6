// Package space sees to it that the disk has room for what a write needs, and that a full disk can be relieved: a
// ballast file can be deleted, so that a graph can be dropped.
package space
