package registry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
)

// Health is what Doctor found out about one plugin.
type Health struct {
	Plugin      Plugin
	Protocol    int // the contract version agreed on; 0 when it did not start
	Description plugins.Description
	Walls       []confine.State // around its process
	Err         error           // what is wrong with it; nil: it is well
}

// Doctor starts the built-in device and every installed plugin, or those that are named, asks
// each to describe itself, and ends it.
func (r *Registry) Doctor(ctx context.Context, names ...string) ([]Health, error) {
	installed, err := r.chosen(names)
	if err != nil {
		return nil, err
	}
	var all []Health
	if len(names) == 0 || slices.Contains(names, "cpu") {
		all = append(all, builtIn(ctx))
	}
	for _, p := range installed {
		h := Health{Plugin: p}
		if spec, err := r.Resolve(p.Name); err != nil {
			h.Err = err
		} else {
			h.examine(ctx, spec)
		}
		all = append(all, h)
	}
	return all, ctx.Err()
}

// chosen are the installed plugins of these names; none: all.
func (r *Registry) chosen(names []string) (some []Plugin, err error) {
	if len(names) == 0 {
		return r.List()
	}
	for _, name := range names {
		if isBuiltIn(name) {
			continue
		}
		p, err := r.Info(name)
		if err != nil {
			return nil, err
		}
		some = append(some, p)
	}
	return some, nil
}

// builtIn is the health of this program as its own CPU device.
func builtIn(ctx context.Context) Health {
	self, err := launch.Self()
	h := Health{Plugin: Plugin{Name: self.Name, Path: self.Path, Source: "built in"}, Err: err}
	if err == nil {
		h.examine(ctx, self)
		h.Plugin.Version = h.Description.Version
	}
	return h
}

// Provider is what Providers found out about one of ONNX Runtime's.
type Provider struct {
	Name        string
	Description plugins.Description
	Err         error // why the installed library cannot compute with it; nil: it can
}

// Providers starts the NPU plugin with each of these providers in place of its own, in a
// process for each, for a library that does not find its driver may end it.
func (r *Registry) Providers(ctx context.Context, names []string) ([]Provider, error) {
	p, err := r.Info(NPU)
	if err != nil || p.Runtime == nil {
		return nil, err
	}
	var all []Provider
	for _, name := range names {
		found := Provider{Name: name}
		if spec, err := p.Runtime.with(name).spec(); err != nil {
			found.Err = err
		} else {
			var h Health
			h.examine(ctx, spec)
			found.Description, found.Err = h.Description, h.Err
		}
		all = append(all, found)
	}
	return all, ctx.Err()
}

// examine starts a plugin and asks it to describe itself.
func (h *Health) examine(ctx context.Context, spec launch.Spec) {
	p, err := launch.Start(ctx, spec, launch.Options{})
	if err != nil {
		h.Err = err
		return
	}
	defer p.Close()
	h.Protocol, h.Walls = p.Protocol(), p.Walls
	late, cancel := context.WithTimeout(ctx, launch.DefaultTimeout)
	defer cancel()
	h.Description, h.Err = p.Device.Describe(late)
	switch {
	case plugins.KindOf(h.Err) == plugins.KindDied:
		h.Err = lastWords(p, h.Err)
	case h.Err == nil && spec.Version != "" && h.Description.Name != spec.Name:
		h.Err = fmt.Errorf("it calls itself %s, but was installed as %s: install it again", h.Description.Name, spec.Name)
	case h.Err == nil && spec.Version != "" && h.Description.Version != spec.Version:
		h.Err = fmt.Errorf("it calls itself version %s, but version %s was installed", h.Description.Version, spec.Version)
	case h.Err == nil:
		h.Err = h.Plugin.bringsWhatItSays(h.Description)
	}
}

// lastWords says how a plugin has ended whose connection is lost by err.
func lastWords(p *launch.Plugin, err error) error {
	select {
	case <-p.Exited():
		return p.Death()
	case <-time.After(time.Second):
		return err // it closed the connection, and lives
	}
}
