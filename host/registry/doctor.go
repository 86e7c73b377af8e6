package registry

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/host/launch"
	"github.com/penstock-db/penstock/plugins"
)

// Health is what Doctor found out about one plugin.
type Health struct {
	Plugin      Plugin
	Protocol    int // the contract version agreed on; 0 when it did not start
	Description plugins.Description
	Err         error // what is wrong with it; nil: it is well
}

// Doctor starts the built-in device and every installed plugin, asks each to describe
// itself, and ends it.
func (r *Registry) Doctor(ctx context.Context) ([]Health, error) {
	installed, err := r.List()
	if err != nil {
		return nil, err
	}
	all := []Health{builtIn(ctx)}
	for _, p := range installed {
		h := Health{Plugin: p}
		if spec, err := r.Resolve(p.Name); err != nil {
			h.Err = err
		} else {
			h.Protocol, h.Description, h.Err = examine(ctx, spec)
		}
		all = append(all, h)
	}
	return all, ctx.Err()
}

// builtIn is the health of this program as its own CPU device.
func builtIn(ctx context.Context) Health {
	self, err := launch.Self()
	h := Health{Plugin: Plugin{Name: self.Name, Path: self.Path, Source: "built in"}, Err: err}
	if err == nil {
		h.Protocol, h.Description, h.Err = examine(ctx, self)
		h.Plugin.Version = h.Description.Version
	}
	return h
}

func examine(ctx context.Context, spec launch.Spec) (protocol int, d plugins.Description, err error) {
	p, err := launch.Start(ctx, spec, launch.Options{})
	if err != nil {
		return 0, d, err
	}
	defer p.Close()
	ctx, cancel := context.WithTimeout(ctx, launch.DefaultTimeout)
	defer cancel()
	d, err = p.Device.Describe(ctx)
	if err == nil && spec.Version != "" && d.Version != spec.Version {
		err = fmt.Errorf("it calls itself version %s, but version %s was installed", d.Version, spec.Version)
	}
	return p.Protocol(), d, err
}
