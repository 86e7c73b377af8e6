// Package violation has the error of a device whose answer breaks the contract (package plugins).
package violation

import "github.com/penstock-db/penstock/plugins"

// Of is the error of an answer that breaks the contract, of KindInternal.
func Of(device, format string, args ...any) error {
	err := plugins.Errorf(plugins.KindInternal, "its answer breaks the contract: "+format, args...)
	err.Device = device
	return err
}
