package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/host/registry"
)

// checkDevices refuses names of --devices under which nothing is built in or installed.
func checkDevices(names []string) error {
	installed, err := registry.Open("")
	if err != nil {
		return err
	}
	for _, name := range names {
		switch {
		case name == "cpu":
		case name == "auto":
			return fmt.Errorf("--devices: auto is no device: it chooses among those that are named, cpu first")
		case strings.ContainsRune(name, filepath.Separator):
			return fmt.Errorf("--devices %s: name an installed plugin, not a program: 'penstock plugin install %s' installs it", name, name)
		default:
			if _, err := installed.Info(name); err != nil {
				return fmt.Errorf("--devices: %w", err)
			}
		}
	}
	return nil
}
