//go:build !linux

package cgroup

import "errors"

// Place is none: this system has no control groups.
type Place struct{}

// Version is none.
func (*Place) Version() string { return "" }

// Own says that there is no place.
func Own() (*Place, error) { return nil, errors.ErrUnsupported }

// Make makes none.
func (*Place) Make(uint64) (*Group, error) { return nil, errors.ErrUnsupported }

// Group is none.
type Group struct{}

// Join joins none.
func (*Group) Join(...int) error { return errors.ErrUnsupported }

// Limit limits nothing.
func (*Group) Limit(uint64) error { return errors.ErrUnsupported }

// Ended says nothing.
func (*Group) Ended() Ended { return Ended{} }

// Remove removes nothing.
func (*Group) Remove() error { return nil }
