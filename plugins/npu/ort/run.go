package ort

import "context"

// Run passes through the model once. When ctx ends, the run ends after the operator that it is at, and
// the error is ctx's.
func (b *Binding) Run(ctx context.Context) error {
	if b.binding == 0 {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	defer b.watch(ctx)()
	r := b.session.runtime
	err := r.check(r.api.RunWithBinding(b.session.session, b.options, b.binding), "running a model")
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// watch has the end of ctx end the run, until what it returns is called.
func (b *Binding) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	told := make(chan struct{})
	r := b.session.runtime
	unregister := context.AfterFunc(ctx, func() {
		defer close(told)
		r.terminate(b.options)
	})
	return func() {
		if unregister() {
			return
		}
		<-told
		r.api.UnsetTerminate(b.options)
	}
}

// terminate cannot fail: it sets a flag that the run looks at between operators.
func (r *Runtime) terminate(options handle) { r.api.SetTerminate(options) }
