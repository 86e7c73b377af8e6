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

// What the owner of a database has enabled is asked beside what a server allows; the built-in device always runs.
func TestDevices_Enabled(t *testing.T) {
	list := Allowlist{Database: "db", Names: []string{"gpu"}}
	for _, c := range []struct {
		allowed Devices
		device  string
		ok      bool
	}{
		{Devices{Enabled: list}, "cpu", true}, {Devices{Enabled: list}, "auto", true}, {Devices{Enabled: list}, "gpu", true},
		{Devices{Enabled: list}, "npu", false}, {Devices{Enabled: list}, "./gpu", false},
		{Devices{Names: []string{"npu"}, Enabled: list}, "npu", false},
		{Devices{Enabled: Allowlist{Database: "db", Unreadable: errors.New("x")}}, "cpu", true},
	} {
		err := c.allowed.Check(c.device)
		if (err == nil) != c.ok || !c.ok && !errors.As(err, new(*NotEnabledError)) {
			t.Errorf("%+v: %s: %v", c.allowed, c.device, err)
		}
	}
	only := Devices{Names: []string{"cpu"}, Enabled: list}
	if err := only.Check("gpu"); !errors.As(err, new(*DeviceNotAllowedError)) {
		t.Error(err)
	}
}
