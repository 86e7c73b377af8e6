package ort

import (
	"slices"
	"strings"
	"unsafe"
)

// oldestVendorAPI is the first version that takes providers in libraries of their own.
const oldestVendorAPI = 22

// appendVendor has sessions run on a provider whose vendor ships it in a library of its own.
func (r *Runtime) appendVendor(session handle, p Provider, settings map[string]string) error {
	doing := "choosing the provider " + string(p) + " in " + settings[library]
	if r.apiVersion < oldestVendorAPI {
		return &Error{r.path, doing, TooOld, "its version is " + r.version,
			"providers in libraries of their own take version 1.22 or newer"}
	}
	if err := r.register(settings[library], doing); err != nil {
		return err
	}
	return r.appendDevice(session, p.Name(), settings, doing)
}

// register loads a provider's library, once.
func (r *Runtime) register(path, doing string) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.registered[path] {
		return nil
	}
	if err := r.check(r.api.RegisterProviderLibrary(r.env, path, path), doing); err != nil {
		return err
	}
	r.registered[path] = true
	return nil
}

// appendDevice has sessions run on the device of a provider that suits best.
func (r *Runtime) appendDevice(session handle, provider string, settings map[string]string, doing string) error {
	devices, err := r.devices(doing)
	if err != nil {
		return err
	}
	device, ok := choose(devices, provider, settings[hardware])
	if !ok {
		return &Error{r.path, doing, MissingProvider, "no device is there for it: there are " + list(devices),
			"look to the driver, and to the setting " + hardware + " (npu, gpu or cpu)"}
	}
	keys, values := terminated(forProvider(settings))
	return r.check(r.api.AppendDevices(session, r.env, []handle{device.handle}, 1, keys, values, uint(len(keys))), doing)
}

// device is hardware that a provider can run on.
type device struct {
	handle   handle
	provider string
	hardware string
}

// kinds of hardware, by the library's numbers; the last is the most wanted.
var hardwareKinds = []string{"cpu", "gpu", "npu"}

func (r *Runtime) devices(doing string) ([]device, error) {
	var first unsafe.Pointer
	var count uint
	if err := r.check(r.api.GetDevices(r.env, &first, &count), doing); err != nil {
		return nil, err
	}
	var all []device
	for _, h := range unsafe.Slice((*handle)(first), count) {
		if kind := int(r.api.HardwareType(r.api.DeviceHardware(h))); kind < len(hardwareKinds) {
			all = append(all, device{h, r.api.DeviceProvider(h), hardwareKinds[kind]})
		}
	}
	return all, nil
}

// choose takes a device of the wanted hardware, or if none is wanted: an NPU, a GPU, a processor.
func choose(devices []device, provider, wanted string) (device, bool) {
	for _, kind := range slices.Backward(hardwareKinds) {
		for _, d := range devices {
			if d.provider == provider && d.hardware == kind && (wanted == "" || wanted == kind) {
				return d, true
			}
		}
	}
	return device{}, false
}

func list(devices []device) string {
	var words []string
	for _, d := range devices {
		words = append(words, d.provider+" on "+d.hardware)
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
