package launch

import (
	"context"
	"sync"
)

// Ahead is a plugin that is started before anybody has asked for it. A nil Ahead has none.
type Ahead struct {
	spec   Spec
	cancel context.CancelFunc
	done   chan struct{} // closed when the plugin has started, or has not
	plugin *Plugin       // nil: it could not be started

	once sync.Once // who has it
}

// Begin starts a plugin, of which nobody has to wait. It has to be closed, also when it has been taken.
func Begin(spec Spec) *Ahead {
	ctx, cancel := context.WithCancel(context.Background())
	a := &Ahead{spec: spec, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.plugin, _ = Start(ctx, spec, Options{}) // whoever wants it tries again, and is told why
	}()
	return a
}

// Start is as Start, the function, but takes what was started ahead if it is of this spec, and nobody has it. What
// could not be started ahead is started again, to say why.
func (a *Ahead) Start(ctx context.Context, spec Spec, opts Options) (*Plugin, error) {
	if a == nil || a.spec.Identity() != spec.Identity() || !a.take() {
		return Start(ctx, spec, opts)
	}
	opts = opts.complete()
	intime, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	select {
	case <-a.done:
	case <-intime.Done():
		a.cancel() // which ends it, however far it is
		<-a.done
	}
	switch {
	case a.plugin == nil && ctx.Err() == nil:
		return Start(ctx, spec, opts)
	case a.plugin == nil:
		return nil, context.Cause(ctx)
	}
	a.plugin.timeout = opts.Timeout
	a.plugin.Redirect(opts.Log)
	return a.plugin, nil
}

// Started waits until the plugin has started, and is its process's id; 0: it could not be.
func (a *Ahead) Started() int {
	if <-a.done; a.plugin == nil {
		return 0
	}
	return a.plugin.PID()
}

// take tells the first who asks that the plugin is theirs.
func (a *Ahead) take() (first bool) {
	a.once.Do(func() { first = true })
	return first
}

// Close ends the plugin, unless somebody has it.
func (a *Ahead) Close() {
	if a == nil || !a.take() {
		return
	}
	a.cancel()
	if <-a.done; a.plugin != nil {
		a.plugin.Kill()
	}
}
