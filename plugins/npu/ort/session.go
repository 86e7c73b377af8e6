package ort

// Options of a session.
type Options struct {
	Provider Provider // "": the processor
	// Settings are the provider's own options, as its documentation names them. Besides: "library", the path of
	// the provider's shared library where its vendor ships it apart, and "hardware" (npu, gpu or cpu), the device
	// that such a provider shall take.
	Settings map[string]string
	Threads  int  // that work on one operator; 0: one
	Spin     bool // threads wait actively for work: quicker, at the cost of whoever else computes
	// Fallback lets the processor do what the provider does not know; else that is an error.
	Fallback bool
}

// Session is a model made ready to run. It may be used by several goroutines at once.
type Session struct {
	runtime  *Runtime
	session  handle
	provider Provider
}

// NewSession makes a model ready; the bytes are not needed afterwards.
func (r *Runtime) NewSession(model []byte, o Options) (*Session, error) {
	options, err := r.options(o)
	if options != 0 {
		defer r.api.ReleaseSessionOptions(options)
	}
	if err != nil {
		return nil, err
	}
	return r.open(model, options, o.provider())
}

func (r *Runtime) open(model []byte, options handle, p Provider) (*Session, error) {
	s := &Session{runtime: r, provider: p}
	if err := r.check(r.api.CreateSessionFromArray(r.env, model, uint(len(model)), options, &s.session),
		"reading a model"); err != nil {
		return nil, err
	}
	return s, nil
}

// options, which the caller releases whether or not there is an error.
func (r *Runtime) options(o Options) (options handle, err error) {
	if err := r.check(r.api.CreateSessionOptions(&options), "making options"); err != nil {
		return 0, err
	}
	if err := r.apply(options, o); err != nil {
		return options, err
	}
	return options, r.append(options, o.provider(), o.Settings)
}

func (r *Runtime) apply(options handle, o Options) error {
	const sequential = 0
	for _, s := range []status{
		r.api.SetExecutionMode(options, sequential),
		r.api.SetIntraOpNumThreads(options, int32(max(o.Threads, 1))),
		r.api.SetInterOpNumThreads(options, 1),
		r.api.DisableMemPattern(options),
		r.api.SetDeterministic(options, true),
	} {
		if err := r.check(s, "setting options"); err != nil {
			return err
		}
	}
	for key, value := range o.entries() {
		if err := r.check(r.api.AddSessionConfigEntry(options, key, value), "setting "+key); err != nil {
			return err
		}
	}
	return nil
}

// entries are the options that the library takes by name. DivMulFusion makes y/x of 1/x·y, also where these are
// whole numbers.
func (o Options) entries() map[string]string {
	return map[string]string{
		"optimization.disable_specified_optimizers": "DivMulFusion",
		"session.intra_op.allow_spinning":           flag(o.Spin),
		"session.disable_cpu_ep_fallback":           flag(!o.Fallback && o.provider() != CPU),
	}
}

func (o Options) provider() Provider {
	if o.Provider == "" {
		return CPU
	}
	return o.Provider
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// Close frees the session, and gives its memory back to the system, of which the C library would keep much.
// Its bindings must have been closed before.
func (s *Session) Close() {
	if s.session == 0 {
		return
	}
	s.runtime.api.ReleaseSession(s.session)
	s.session = 0
	if s.runtime.mallocTrim != nil {
		s.runtime.mallocTrim(0)
	}
}
