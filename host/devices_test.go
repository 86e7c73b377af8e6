package host

import (
	"errors"
	"testing"
)

func TestDevices_Check(t *testing.T) {
	named, only := Devices{ByName: true}, Devices{ByName: true, Names: []string{"cpu", "gpu"}}
	for _, c := range []struct {
		allowed Devices
		device  string
		ok      bool
	}{
		{Devices{}, "/bin/sh", true},
		{named, "cpu", true}, {named, "auto", true}, {named, "gpu", true},
		{named, "/bin/sh", false}, {named, "./sh", false}, {named, "a/b", false},
		{only, "cpu", true}, {only, "auto", true}, {only, "gpu", true}, {only, "npu", false}, {only, "/bin/sh", false},
		{Devices{ByName: true, Names: []string{"gpu"}}, "auto", false},
		{Devices{ByName: true, Names: []string{}}, "cpu", false},
		{Devices{ByName: true, Names: []string{"/bin/sh"}}, "/bin/sh", false},
	} {
		err := c.allowed.Check(c.device)
		if (err == nil) != c.ok || !c.ok && !errors.As(err, new(*DeviceNotAllowedError)) {
			t.Errorf("%+v: %s: %v", c.allowed, c.device, err)
		}
	}
}
