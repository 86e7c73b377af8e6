package npu

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/failure"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// The variables that tell a plugin process what to load.
const (
	LibraryVariable  = "PENSTOCK_ONNXRUNTIME"  // the path of ONNX Runtime's library
	ProviderVariable = "PENSTOCK_NPU_PROVIDER" // empty: cpu
	SettingsVariable = "PENSTOCK_NPU_OPTIONS"  // the provider's own, and "form": a JSON object of strings
)

// formSetting chooses the form of matrices: "paper" is Options.Paper.
const formSetting = "form"

// FromEnvironment is the device that the process's environment speaks of. Where that leads
// nowhere, it is one that says why to whoever asks.
func FromEnvironment() plugins.Device {
	options, err := environment()
	if err != nil {
		return unable{plugins.Errorf(plugins.KindLaunch, "%w", err)}
	}
	d, err := New(options)
	if err != nil {
		return unable{failure.Named(deviceName, -1, plugins.KindLaunch, err)}
	}
	return d
}

func environment() (Options, error) {
	o := Options{Library: os.Getenv(LibraryVariable), Provider: ort.CPU}
	if o.Library == "" {
		return o, fmt.Errorf(
			"%s names no library: install the plugin (penstock plugin install npu), or set it to the path of ONNX Runtime",
			LibraryVariable)
	}
	if name := os.Getenv(ProviderVariable); name != "" {
		var err error
		if o.Provider, err = ort.ParseProvider(name); err != nil {
			return o, fmt.Errorf("%s: %w", ProviderVariable, err)
		}
	}
	if text := os.Getenv(SettingsVariable); text != "" {
		if err := json.Unmarshal([]byte(text), &o.Settings); err != nil {
			return o, fmt.Errorf(`%s is no JSON object of strings, as {"device_id":"0"}: %w`, SettingsVariable, err)
		}
	}
	form := o.Settings[formSetting]
	if o.Paper = form == "paper"; form != "" && !o.Paper {
		return o, fmt.Errorf(
			"%s: form %q: there is paper, the operators of the paper as they are; leave it out for the fastest",
			SettingsVariable, form)
	}
	delete(o.Settings, formSetting)
	return o, nil
}

// unable is a device that cannot do anything, and says why.
type unable struct{ err error }

func (u unable) Describe(context.Context) (plugins.Description, error) {
	return plugins.Description{}, u.err
}

func (u unable) Open(context.Context, plugins.Job) (plugins.Session, error) { return nil, u.err }
