package plugin

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// npuHelp says where the library comes from that the NPU plugin computes with.
const npuHelp = `PATH is a program, or a folder with plugin.yaml or plugin.json, which is copied, and its checksum
locked; or a package ('penstock plugin pack' makes them). A package with a newer version takes the
place of an older one.

'install npu' installs the dense device, which computes with ONNX Runtime: a library that is
no part of this program. Its path and checksum are locked, and so are the provider, that is
which hardware it computes on, and the provider's options. Without --runtime it takes
$PENSTOCK_ONNXRUNTIME, or what it finds where libraries and Python's packages usually are.

  provider  hardware          ONNX Runtime that has it
  cpu       any processor     every one
  cuda      NVIDIA GPU        Python's onnxruntime-gpu; the -gpu archive of the releases at
  tensorrt  NVIDIA GPU        github.com/microsoft/onnxruntime; with the driver, CUDA, cuDNN, TensorRT
  cann      Huawei Ascend     Python's onnxruntime-cann, or built with --use_cann; with CANN
  openvino  Intel NPU, GPU    Python's onnxruntime-openvino; with the NPU's driver
  qnn       Qualcomm Hexagon  built with --use_qnn; with Qualcomm's AI Engine Direct SDK

Where a vendor ships its provider apart, as in Python's onnxruntime-ep-openvino and onnxruntime-qnn,
--provider-option library=PATH names it; its checksum is locked as well.

For the CPU, the package of npm's is the shortest way:

  npm pack --ignore-scripts onnxruntime-node@1.27.0
  tar xf onnxruntime-node-1.27.0.tgz
  penstock plugin install npu --runtime package

'penstock plugin doctor npu' says which providers an installed library can compute with.`

// npuProviders are those of ONNX Runtime's that the NPU plugin knows.
func npuProviders() (names []string) {
	for _, p := range ort.All {
		names = append(names, string(p))
	}
	return names
}

// npuFlags are the flags of 'plugin install' that say what 'npu' is to compute with.
type npuFlags struct {
	runtime, provider string
	options           []string
	flags             *pflag.FlagSet
}

func (n *npuFlags) add(flags *pflag.FlagSet) {
	n.flags = flags
	flags.StringVar(&n.runtime, "runtime", "", "npu: ONNX Runtime's library, or a folder in which it is, by its `path`")
	flags.StringVar(&n.provider, "provider", "cpu", "npu: what it computes on: "+strings.Join(npuProviders(), ", "))
	flags.StringArrayVar(&n.options, "provider-option", nil,
		"npu: an option of the provider's, `name=value`, as its documentation says; may be repeated")
}

// set tells whether any of the flags was given.
func (n *npuFlags) set() bool {
	return slices.ContainsFunc([]string{"runtime", "provider", "provider-option"}, n.flags.Changed)
}

// request is what the flags ask for.
func (n *npuFlags) request(replace bool) (registry.RuntimeOptions, error) {
	if _, err := ort.ParseProvider(n.provider); err != nil {
		return registry.RuntimeOptions{}, cli.UsageError{Err: fmt.Errorf("--provider: %w", err)}
	}
	options, err := cli.Assignments("--provider-option", n.options)
	return registry.RuntimeOptions{Path: n.runtime, Provider: n.provider, Options: options, Replace: replace}, err
}

var errNotNPU = cli.UsageError{Err: errors.New(
	"--runtime, --provider and --provider-option are of 'penstock plugin install npu'")}

func showRuntime(w io.Writer, state string, p registry.Plugin) error {
	fmt.Fprintf(w, "%s %s %s\n", state, p.Name, p.Version)
	for _, library := range p.Runtime.Libraries {
		fmt.Fprintf(w, "  library  %s\n  sha256   %s\n", library.Path, library.SHA256)
	}
	fmt.Fprintf(w, "  provider %s\n", p.Runtime.Provider)
	for _, name := range slices.Sorted(maps.Keys(p.Runtime.Options)) {
		fmt.Fprintf(w, "  option   %s=%s\n", name, p.Runtime.Options[name])
	}
	return nil
}

// showProviders says of each provider whether the installed library can compute with it. That
// most cannot is no illness: they are for other hardware.
func showProviders(w io.Writer, providers []registry.Provider) {
	if len(providers) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "provider", "usable", "this program with it")
	for _, p := range providerDiagnoses(providers) {
		t.AppendRow([]any{p.Name, map[bool]string{true: "yes", false: "no"}[p.Usable], p.Status})
	}
	t.Render()
	for _, p := range providers {
		if p.Err != nil {
			fmt.Fprintf(w, "%s: %v\n", p.Name, cause(p.Err))
		}
	}
}

// cause is a device's error without what kind it is of.
func cause(err error) error {
	var of *plugins.Error
	if errors.As(err, &of) && of.Err != nil {
		return of.Err
	}
	return err
}

// providerDiagnosis is what doctor says of a provider in JSON.
type providerDiagnosis struct {
	Name     string `json:"name"`
	Usable   bool   `json:"usable"`
	Status   string `json:"status"` // whether this program has run with it
	Problem  string `json:"problem,omitempty"`
	Hardware string `json:"hardware,omitempty"`
}

func providerDiagnoses(providers []registry.Provider) (list []providerDiagnosis) {
	for _, p := range providers {
		d := providerDiagnosis{Name: p.Name, Usable: p.Err == nil, Status: ort.Provider(p.Name).Facts().Status,
			Hardware: p.Description.Hardware}
		if p.Err != nil {
			d.Problem = cause(p.Err).Error()
		}
		list = append(list, d)
	}
	return list
}
