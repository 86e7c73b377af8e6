package ort

import (
	"fmt"
	"slices"
)

// Provider names the hardware that a session runs on, as users do.
type Provider string

const (
	CPU      Provider = "cpu"      // any processor; in every build of the library
	CUDA     Provider = "cuda"     // NVIDIA's GPUs
	TensorRT Provider = "tensorrt" // NVIDIA's GPUs, models compiled
	CANN     Provider = "cann"     // Huawei's Ascend NPUs
	OpenVINO Provider = "openvino" // Intel's processors, GPUs and NPUs
	QNN      Provider = "qnn"      // Qualcomm's NPUs
)

// All are the providers that there is code for here.
var All = []Provider{CPU, CUDA, TensorRT, CANN, OpenVINO, QNN}

// details: the library's names for the provider and for its memory, and what it needs.
var details = map[Provider]struct{ name, memory, needs string }{
	CPU:      {"CPUExecutionProvider", "Cpu", ""},
	CUDA:     {"CUDAExecutionProvider", "Cuda", "a build of ONNX Runtime for CUDA with libonnxruntime_providers_cuda.so and libonnxruntime_providers_shared.so beside it, NVIDIA's driver, CUDA and cuDNN"},
	TensorRT: {"TensorrtExecutionProvider", "Cuda", "a build of ONNX Runtime for TensorRT with libonnxruntime_providers_tensorrt.so and libonnxruntime_providers_shared.so beside it, NVIDIA's driver, CUDA, cuDNN and TensorRT"},
	CANN:     {"CANNExecutionProvider", "Cann", "a build of ONNX Runtime for CANN with libonnxruntime_providers_cann.so and libonnxruntime_providers_shared.so beside it, the Ascend driver and the CANN toolkit (source its set_env.sh)"},
	OpenVINO: {"OpenVINOExecutionProvider", "OpenVINO_RT_NPU",
		"the provider option library=PATH of the library in the package onnxruntime-ep-openvino (ONNX Runtime 1.22 or newer), or a build of ONNX Runtime for OpenVINO with libonnxruntime_providers_openvino.so and libonnxruntime_providers_shared.so beside it; OpenVINO's libraries, and for Intel's NPU the driver intel_vpu"},
	QNN: {"QNNExecutionProvider", "QnnHtpShared",
		"the provider option library=PATH of the library in the package onnxruntime-qnn (ONNX Runtime 1.22 or newer), or a build of ONNX Runtime for QNN; Qualcomm's AI Engine Direct libraries, and the provider option backend_path=…/libQnnHtp.so"},
}

// ParseProvider is the provider of a name.
func ParseProvider(name string) (Provider, error) {
	if slices.Contains(All, Provider(name)) {
		return Provider(name), nil
	}
	return "", fmt.Errorf("there is no provider %q; there are cpu, cuda, tensorrt, cann, openvino and qnn", name)
}

// Name is the library's name for the provider.
func (p Provider) Name() string { return details[p].name }

// Needs says in words what a machine must have for the provider, besides the hardware.
func (p Provider) Needs() string { return details[p].needs }

// Has tells whether the library was built with a provider. It may lack libraries of its vendor still.
func (r *Runtime) Has(p Provider) bool { return slices.Contains(r.providers, p.Name()) }
