package driver_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// Whatever is wrong with the driver, the program starts, and says what.
func TestStatus_TellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, variable, says string }{
		{"NoLibrary", "PENSTOCK_LIBCUDA=/no/such/libcuda.so.1", "/no/such/libcuda.so.1"},
		{"NoSharedObject", "PENSTOCK_LIBCUDA=" + os.Args[0], os.Args[0]},
		{"AnotherLibrary", "PENSTOCK_LIBCUDA=libc.so.6", "libc.so.6 has no cuInit"},
		{"NoDevice", "SOFTCUDA_FAULT=nodevice", "sees no GPU"},
		{"Mismatch", "SOFTCUDA_FAULT=init=803", "different versions"},
		{"NoFabric", "SOFTCUDA_FAULT=init=802", "nvidia-fabricmanager"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !apart(t, c.variable) {
				return
			}
			for _, err := range []error{driver.Status(), second(driver.Cards()), second(driver.Open(0)), driver.Status()} {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v; expected %q", err, c.says)
				}
				fmt.Println(err)
			}
		})
	}
}

// A driver that is older than pools is asked for memory without them.
func TestOpen_OldDriver(t *testing.T) {
	if !apart(t, "SOFTCUDA_VERSION=11010") {
		return
	}
	c := open(t, 0)
	if c.Card.PoolsSupported || c.Card.Driver != "11.1" {
		t.Errorf("%v, pools: %v", c.Card, c.Card.PoolsSupported)
	}
	alloc(t, stream(t, c), 64)
}

func TestOpen_NoSuchCard(t *testing.T) {
	softcuda.Faults(t)
	if _, err := driver.Open(7); err == nil || !strings.Contains(err.Error(), "card 7") {
		t.Errorf("%v; expected that there is no card 7", err)
	}
}

func second[T any](_ T, err error) error { return err }
