package ort

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Versions of the table of functions. The oldest has every function below that names no
// version of its own; the newest is the one that their indices were read from.
const (
	oldestAPI = 18
	newestAPI = 24
)

// handle is an address in the library's memory, of which only the library knows what is there.
type handle = uintptr

// status is nil, or an error that must be released.
type status = handle

// api is the part of struct OrtApi (onnxruntime_c_api.h) that is used here. The tag is the index
// in the table, and after a comma the first version that has the function where not all have it.
type api struct {
	GetErrorCode    func(status) int32  `ort:"1"`
	GetErrorMessage func(status) string `ort:"2"`
	ReleaseStatus   func(status)        `ort:"93"`

	CreateEnv              func(severity int32, id string, env *handle) status               `ort:"3"`
	DisableTelemetryEvents func(env handle) status                                           `ort:"6"`
	ReleaseEnv             func(env handle)                                                  `ort:"92"`
	GetAvailableProviders  func(names *unsafe.Pointer, count *int32) status                  `ort:"125"`
	ReleaseProviders       func(names unsafe.Pointer, count int32) status                    `ort:"126"`
	CreateCPUMemoryInfo    func(allocator, kind int32, info *handle) status                  `ort:"69"`
	CreateMemoryInfo       func(name string, allocator, id, kind int32, info *handle) status `ort:"68"`
	ReleaseMemoryInfo      func(info handle)                                                 `ort:"94"`

	CreateSessionOptions  func(options *handle) status                   `ort:"10"`
	SetExecutionMode      func(options handle, mode int32) status        `ort:"13"`
	DisableMemPattern     func(options handle) status                    `ort:"17"`
	SetIntraOpNumThreads  func(options handle, threads int32) status     `ort:"24"`
	SetInterOpNumThreads  func(options handle, threads int32) status     `ort:"25"`
	SetDeterministic      func(options handle, on bool) status           `ort:"273"`
	AddSessionConfigEntry func(options handle, key, value string) status `ort:"130"`
	ReleaseSessionOptions func(options handle)                           `ort:"100"`

	CreateCUDAOptions      func(options *handle) status                                               `ort:"205"`
	UpdateCUDAOptions      func(options handle, keys, values []*byte, count uint) status              `ort:"206"`
	ReleaseCUDAOptions     func(options handle)                                                       `ort:"208"`
	AppendCUDA             func(session, options handle) status                                       `ort:"204"`
	CreateTensorRTOptions  func(options *handle) status                                               `ort:"171"`
	UpdateTensorRTOptions  func(options handle, keys, values []*byte, count uint) status              `ort:"172"`
	ReleaseTensorRTOptions func(options handle)                                                       `ort:"174"`
	AppendTensorRT         func(session, options handle) status                                       `ort:"170"`
	CreateCANNOptions      func(options *handle) status                                               `ort:"221"`
	UpdateCANNOptions      func(options handle, keys, values []*byte, count uint) status              `ort:"222"`
	ReleaseCANNOptions     func(options handle)                                                       `ort:"224"`
	AppendCANN             func(session, options handle) status                                       `ort:"220"`
	AppendOpenVINO         func(session handle, keys, values []*byte, count uint) status              `ort:"275"`
	AppendProvider         func(session handle, name string, keys, values []*byte, count uint) status `ort:"216"`

	RegisterProviderLibrary func(env handle, name, path string) status `ort:"301,22"`
	GetDevices              func(env handle, devices *unsafe.Pointer,
		count *uint) status `ort:"303,22"`
	DeviceProvider func(device handle) string   `ort:"312,22"`
	DeviceHardware func(device handle) handle   `ort:"316,22"`
	HardwareType   func(hardware handle) uint32 `ort:"307,22"`
	AppendDevices  func(session, env handle, devices []handle, count uint, keys, values []*byte,
		settings uint) status `ort:"304,22"`

	CreateSessionFromArray func(env handle, model []byte, length uint, options handle, session *handle) status `ort:"8"`
	ReleaseSession         func(session handle)                                                                `ort:"95"`

	CreateTensorWithData func(info handle, data unsafe.Pointer, length uint, shape []int64, dimensions uint, kind int32,
		value *handle) status `ort:"49"`
	ReleaseValue func(value handle) `ort:"96"`

	CreateIoBinding    func(session handle, binding *handle) status           `ort:"134"`
	ReleaseIoBinding   func(binding handle)                                   `ort:"135"`
	BindInput          func(binding handle, name string, value handle) status `ort:"136"`
	BindOutput         func(binding handle, name string, value handle) status `ort:"137"`
	BindOutputToDevice func(binding handle, name string, info handle) status  `ort:"138"`

	GetDefaultAllocator  func(allocator *handle) status                                              `ort:"78"`
	GetBoundOutputValues func(binding, allocator handle, values *unsafe.Pointer, count *uint) status `ort:"140"`
	AllocatorFree        func(allocator handle, memory unsafe.Pointer) status                        `ort:"76"`

	CreateRunOptions  func(options *handle) status                  `ort:"39"`
	SetTerminate      func(options handle) status                   `ort:"46"`
	UnsetTerminate    func(options handle) status                   `ort:"47"`
	ReleaseRunOptions func(options handle)                          `ort:"97"`
	RunWithBinding    func(session, options, binding handle) status `ort:"133"`
}

// base is struct OrtApiBase, which never changes.
type base struct{ getAPI, getVersionString uintptr }

// fill sets the functions from the table of a version.
func (a *api) fill(table unsafe.Pointer, version uint32) {
	functions := reflect.ValueOf(a).Elem()
	for i := range functions.NumField() {
		if index, since := place(functions.Type().Field(i).Tag.Get("ort")); since <= version {
			address := *(*uintptr)(unsafe.Add(table, index*unsafe.Sizeof(uintptr(0))))
			bind(functions.Field(i).Addr().Interface(), address)
		}
	}
}

// place is what a tag says.
func place(tag string) (index uintptr, since uint32) {
	var err error
	if _, err = fmt.Sscanf(tag, "%d,%d", &index, &since); err == nil {
		return index, since
	}
	if _, err = fmt.Sscanf(tag, "%d", &index); err != nil {
		panic(err) // a tag above is no number
	}
	return index, oldestAPI
}
