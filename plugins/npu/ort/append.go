package ort

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// append has sessions of these options run on a provider.
func (r *Runtime) append(options handle, p Provider, settings map[string]string) error {
	if p == CPU {
		return r.refuseSettings(settings)
	}
	settings = over(preset[p], settings)
	if settings[library] != "" {
		return r.appendVendor(options, p, settings)
	}
	settings = over(builtIn[p], settings)
	doing := "choosing the provider " + string(p)
	if !r.Has(p) {
		return &Error{r.path, doing, MissingProvider,
			"this library was not built with it: it has " + strings.Join(r.providers, ", "), "it takes " + p.Needs()}
	}
	err := r.check(r.appendTo(options, p, settings), doing)
	if failure := (*Error)(nil); errors.As(err, &failure) {
		failure.Advice = "it takes " + p.Needs()
	}
	return err
}

func (r *Runtime) refuseSettings(settings map[string]string) error {
	if len(settings) == 0 {
		return nil
	}
	return &Error{r.path, "choosing the provider cpu", InvalidArgument,
		"it has no options, but was given " + strings.Join(slices.Sorted(maps.Keys(settings)), ", "), "leave them out"}
}

func (r *Runtime) appendTo(session handle, p Provider, settings map[string]string) status {
	keys, values := terminated(forProvider(settings))
	count := uint(len(keys))
	switch p {
	case OpenVINO:
		return r.api.AppendOpenVINO(session, keys, values, count)
	case QNN:
		return r.api.AppendProvider(session, "QNN", keys, values, count)
	}
	return r.ownOptions(p).appendTo(session, keys, values)
}

// ownOptions are the functions of a provider that keeps its settings in an object of its own.
type ownOptions struct {
	create  func(*handle) status
	update  func(options handle, keys, values []*byte, count uint) status
	append  func(session, options handle) status
	release func(handle)
}

func (r *Runtime) ownOptions(p Provider) ownOptions {
	a := &r.api
	switch p {
	case TensorRT:
		return ownOptions{a.CreateTensorRTOptions, a.UpdateTensorRTOptions, a.AppendTensorRT, a.ReleaseTensorRTOptions}
	case CANN:
		return ownOptions{a.CreateCANNOptions, a.UpdateCANNOptions, a.AppendCANN, a.ReleaseCANNOptions}
	default:
		return ownOptions{a.CreateCUDAOptions, a.UpdateCUDAOptions, a.AppendCUDA, a.ReleaseCUDAOptions}
	}
}

func (o ownOptions) appendTo(session handle, keys, values []*byte) status {
	var options handle
	if s := o.create(&options); s != 0 {
		return s
	}
	defer o.release(options)
	if s := o.update(options, keys, values, uint(len(keys))); s != 0 {
		return s
	}
	return o.append(session, options)
}
