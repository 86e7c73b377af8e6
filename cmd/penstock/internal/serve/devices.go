package serve

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/registry"
)

// servedDevices are the devices that clients' algorithms may run on: those of --devices, which must be built in or
// installed; without it, all that are when the server starts.
func servedDevices(names []string) ([]string, error) {
	installed, err := registry.Open("")
	if err != nil {
		return nil, err
	}
	if names == nil {
		return allDevices(installed)
	}
	for _, name := range names {
		switch {
		case name == "cpu":
		case name == "auto":
			return nil, cli.UsageError{Err: fmt.Errorf(
				"--devices: auto is no device: it chooses among those that are named, cpu first")}
		case strings.ContainsRune(name, filepath.Separator):
			return nil, cli.UsageError{Err: fmt.Errorf(
				"--devices %s: name an installed plugin, not a program: 'penstock plugin install %s' installs it", name, name)}
		default:
			if _, err := installed.Info(name); err != nil {
				return nil, cli.UsageError{Err: fmt.Errorf("--devices: %w", err)}
			}
		}
	}
	return names, nil
}

func allDevices(installed *registry.Registry) ([]string, error) {
	plugins, err := installed.List()
	names := []string{"cpu"}
	for _, p := range plugins {
		names = append(names, p.Name)
	}
	return names, err
}
