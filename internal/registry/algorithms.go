package registry

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
)

// Provided is an algorithm that an installed plugin brings along.
type Provided struct {
	Plugin    string
	Algorithm *algorithms.Algorithm
}

// Algorithms are those that the installed plugins bring along, by plugin. No two have a name in common, and none has
// one with what is built in. They are read from the lock file: no plugin is started.
func (r *Registry) Algorithms() (all []Provided, err error) {
	lock, err := r.known()
	if err != nil {
		return nil, err
	}
	for _, name := range lock.names() {
		defined, err := algorithms.DefineAll(lock.Plugins[name].Algorithms)
		if err != nil {
			return nil, &ManifestError{File: r.lockPath(), Field: "plugins/" + name, Err: err}
		}
		for _, a := range defined {
			if !builtInAlgorithm(a) { // else a newer version of this program has taken the name
				all = append(all, Provided{name, a})
			}
		}
	}
	return all, nil
}

func builtInAlgorithm(a *algorithms.Algorithm) bool {
	return slices.ContainsFunc(names(a), func(name string) bool {
		_, err := catalog.Lookup(name)
		return err == nil
	})
}

func names(a *algorithms.Algorithm) []string { return append([]string{a.Name}, a.Aliases...) }

// free fails with a *TakenError unless the names of these algorithms are free for a plugin.
func (l *Lock) free(plugin string, definitions []algorithms.Definition) error {
	defined, err := algorithms.DefineAll(definitions)
	if err != nil {
		return err
	}
	for _, a := range defined {
		for _, name := range names(a) {
			if _, err := catalog.Lookup(name); err == nil {
				return &TakenError{Algorithm: name, Plugin: plugin}
			}
			for _, other := range l.names() {
				theirs, err := algorithms.DefineAll(l.Plugins[other].Algorithms)
				if err != nil {
					return err
				}
				if _, err := theirs.Lookup(name); err == nil && other != plugin {
					return &TakenError{Algorithm: name, Plugin: plugin, By: other}
				}
			}
		}
	}
	return nil
}

// TakenError is an algorithm of a plugin whose name means something else already.
type TakenError struct {
	Algorithm, Plugin string
	By                string // the plugin that has it; empty: it is built in
}

func (e *TakenError) Error() string {
	if e.By == "" {
		return fmt.Sprintf("plugin %s brings an algorithm %q, which is built in: its maker must choose another name", e.Plugin,
			e.Algorithm)
	}
	return fmt.Sprintf("plugin %s brings an algorithm %q, which plugin %s has brought already: remove that plugin first, with "+
		"`penstock plugin remove %s`", e.Plugin, e.Algorithm, e.By, e.By)
}

// bringsWhatItSays compares the algorithms that were locked with those that a running plugin describes.
func (p Plugin) bringsWhatItSays(d plugins.Description) error {
	if len(p.Algorithms)+len(d.Algorithms) == 0 || reflect.DeepEqual(p.Algorithms, d.Algorithms) {
		return nil
	}
	return fmt.Errorf("it describes the algorithms %q, but %q were installed, or what they take or give is another: "+
		"install the program itself, or a package of it", called(d.Algorithms), called(p.Algorithms))
}

func called(definitions []algorithms.Definition) []string {
	all := []string{}
	for _, d := range definitions {
		all = append(all, d.Name)
	}
	return all
}
