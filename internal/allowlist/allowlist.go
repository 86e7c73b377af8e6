// Package allowlist keeps, for a database, the plugins that its owner lets run in it. Installing a plugin is the
// operator's step, and for all databases; enabling it is the owner's, and for one.
//
//	DIR/plugins.enabled       the list: a line with the version, a name a line, the SHA-256 of all before
//	DIR/plugins.enabled.lock  held by whoever changes it
//
// It is a file beside the store, as the users are, and not in the store's catalog: it can be changed while a server has
// the database open, a run reads it when it begins, and it goes with a backup as the users do.
//
// A database without the file lets any installed plugin run. One whose file cannot be read as it was written lets none.
package allowlist

import (
	"fmt"
	"slices"
	"strings"
)

// List is what may run in a database, beside the built-in device. The zero value lets everything run.
type List struct {
	Database string   // its directory
	Names    []string // of plugins, ascending; nil: there is no list
	// Unreadable is why it is unknown what may run; nil: it is known.
	Unreadable error
}

// Exists tells whether the owner has enabled or disabled any plugin.
func (l List) Exists() bool { return l.Names != nil || l.Unreadable != nil }

// Allows tells whether an installed plugin may run.
func (l List) Allows(plugin string) bool { return !l.Exists() || slices.Contains(l.Names, plugin) }

// Check fails with a *NotEnabledError, or with Unreadable, where a device, which is not the built-in one, may not run.
// A program that is named by its path has no name that the owner could have enabled, so that it may not where there is
// a list.
func (l List) Check(device string) error {
	switch {
	case l.Unreadable != nil:
		return l.Unreadable
	case l.Allows(device):
		return nil
	}
	return &NotEnabledError{Plugin: device, Database: l.Database}
}

// NotEnabledError is a plugin, or the path of a program, that the owner of a database has not enabled for it. Nothing
// was started.
type NotEnabledError struct{ Plugin, Database string }

func (e *NotEnabledError) Error() string {
	if strings.ContainsRune(e.Plugin, '/') {
		return fmt.Sprintf("%s is a program, and only plugins that are enabled may run in database %s: "+
			"`penstock plugin install %s`, and then `penstock plugin enable NAME --db %s` lets it",
			e.Plugin, e.Database, e.Plugin, e.Database)
	}
	return fmt.Sprintf("plugin %s is not enabled in database %s: `penstock plugin enable %s --db %s` lets it run there",
		e.Plugin, e.Database, e.Plugin, e.Database)
}
