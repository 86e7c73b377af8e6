package ort

// TakesLibraries tells whether providers in libraries of their own can be had.
func (r *Runtime) TakesLibraries() bool { return r.apiVersion >= oldestVendorAPI }

// NewSessionOn is NewSession on a device of a provider, as the library lists them: what is done for providers in
// libraries of their own, once those are registered.
func (r *Runtime) NewSessionOn(provider, kind string, model []byte) (*Session, error) {
	var options handle
	if err := r.check(r.api.CreateSessionOptions(&options), "making options"); err != nil {
		return nil, err
	}
	defer r.api.ReleaseSessionOptions(options)
	if err := r.appendDevice(options, provider, map[string]string{hardware: kind}, "testing"); err != nil {
		return nil, err
	}
	return r.open(model, options, CPU)
}
