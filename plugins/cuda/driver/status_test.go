package driver_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Whatever is wrong with the driver, the program starts, and says what.
func TestStatus_TellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, variable, says string }{
		{"NoLibrary", "PENSTOCK_LIBCUDA=/no/such/libcuda.so.1", "/no/such/libcuda.so.1"},
		{"NoSharedObject", "PENSTOCK_LIBCUDA=" + os.Args[0], os.Args[0]},
		{"AnotherLibrary", "PENSTOCK_LIBCUDA=libc.so.6", "libc.so.6 has no cuInit"},
		{"NoDevice", "SOFTCUDA_FAULT=nodevice", "sees no GPU"},
		{"Mismatch", "SOFTCUDA_FAULT=init=803", "different versions"},
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

func second[T any](_ T, err error) error { return err }
