//go:build !linux

package confine

import "errors"

// UseOf is known on Linux only.
func UseOf(int) (Use, error) { return Use{}, errors.ErrUnsupported }

func family(pid int) []int { return []int{pid} }

func useOfFamily(pid int) (Use, error) { return UseOf(pid) }
