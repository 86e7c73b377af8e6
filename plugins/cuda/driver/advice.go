package driver

// #include <cuda.h>
import "C"

// advice is what to do about an error that is not the program's.
var advice = map[C.CUresult]string{
	C.CUDA_ERROR_STUB_LIBRARY:                   "this is the toolkit's stand-in for a driver: take its folder out of LD_LIBRARY_PATH",
	C.CUDA_ERROR_NO_DEVICE:                      "the driver sees no GPU; look at CUDA_VISIBLE_DEVICES, and, in a container, whether the GPU was passed on",
	C.CUDA_ERROR_DEVICE_UNAVAILABLE:             "another process has the card to itself, or nobody may compute on it: see nvidia-smi -q -d COMPUTE",
	C.CUDA_ERROR_JIT_COMPILER_NOT_FOUND:         "libnvidia-ptxjitcompiler.so.1 is missing, a part of the driver; a container is given it by NVIDIA_DRIVER_CAPABILITIES=compute,utility",
	C.CUDA_ERROR_JIT_COMPILATION_DISABLED:       "it is needed: unset CUDA_DISABLE_PTX_JIT",
	C.CUDA_ERROR_UNSUPPORTED_PTX_VERSION:        "the driver is too old for these kernels: install a newer one",
	C.CUDA_ERROR_LAUNCH_TIMEOUT:                 "the card drives a display as well, and the system ends kernels that take long: use another card",
	C.CUDA_ERROR_SYSTEM_NOT_READY:               "the links between the machine's cards are not up: see whether nvidia-fabricmanager runs",
	C.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:         "the library and the kernel module are of different versions; restart the machine, or install the driver anew",
	C.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: "the library is newer than the kernel module, which this card does not allow: install the driver anew",
}
