package host

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
)

// wrapped is a device each of whose sessions is one of another device, in something that stands in between.
type wrapped struct {
	plugins.Device
	session func(plugins.Session, plugins.Job) plugins.Session
}

func (w wrapped) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := w.Device.Open(ctx, job)
	if err != nil {
		return nil, err
	}
	return w.session(s, job), nil
}
