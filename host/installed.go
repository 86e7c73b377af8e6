package host

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/internal/registry"
)

// withInstalled has a request for an algorithm that an installed plugin brings along computed by that plugin. Whatever
// is built in needs no plugin directory.
//
// Errors: *algorithms.UnknownAlgorithmError, *RequestError, those of reading the lock file.
func withInstalled(req Request, open func() (*registry.Registry, error)) (Request, error) {
	if req.Algorithm == "" || req.Procedure != nil {
		return req, nil
	}
	if _, err := catalog.Lookup(req.Algorithm); err == nil {
		return req, nil
	}
	installed, err := open()
	if err != nil {
		return req, err
	}
	provided, err := installed.Algorithms()
	if err != nil {
		return req, err
	}
	catalog := catalog.All()
	for _, p := range provided {
		catalog = append(catalog, p.Algorithm)
		if _, err := (algorithms.Catalog{p.Algorithm}).Lookup(req.Algorithm); err == nil {
			return onPlugin(req, p)
		}
	}
	_, err = catalog.Lookup(req.Algorithm)
	return req, err
}

// onPlugin has the plugin compute, unless the request names it anyway, or a program that is perhaps the same.
func onPlugin(r Request, p registry.Provided) (Request, error) {
	r.Algorithm, r.Procedure = "", p.Algorithm
	switch {
	case r.Device == "" || r.Device == plan.AutoDevice:
		r.Device = p.Plugin
	case r.Device != p.Plugin && !strings.ContainsRune(r.Device, '/'):
		return r, &RequestError{Reason: fmt.Sprintf("algorithm %s is one of plugin %s, and not of device %s: leave the device out",
			p.Algorithm.Name, p.Plugin, r.Device)}
	}
	return r, nil
}
