package driver

// #include <cuda.h>
import "C"

import (
	"errors"
	"fmt"
	"strconv"

	"gorgonia.org/cu"
)

// Card is a GPU.
type Card struct {
	Ordinal                     int    // among those that the process sees
	Name, UUID                  string // "NVIDIA H100 80GB HBM3", "GPU-…"
	Major, Minor                int    // compute capability
	Memory                      uint64 // all of it
	Multiprocessors             int
	MaxThreadsPerMultiprocessor int
	ReadsRegistered             bool   // kernels find what Register has pinned at the address that the host has for it
	PoolsSupported              bool   // memory can be allocated in the order of a stream
	Driver                      string // "12.4": the newest CUDA that the driver has
}

// Cards are those that there are, in the driver's order.
func Cards() ([]Card, error) {
	if err := Status(); err != nil {
		return nil, err
	}
	count, err := cu.NumDevices()
	if err != nil {
		return nil, wrap("cuDeviceGetCount", err)
	}
	cards := make([]Card, count)
	for i := range cards {
		if cards[i], err = card(i); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// card asks for everything about one.
func card(ordinal int) (Card, error) {
	c := Card{Ordinal: ordinal, Driver: version()}
	device, err := cu.GetDevice(ordinal)
	if err != nil {
		return c, telling(
			wrap("cuDeviceGet", err), fmt.Sprintf("card %d; the first is 0, and CUDA_VISIBLE_DEVICES may hide others", ordinal))
	}
	if c.Name, err = device.Name(); err != nil {
		return c, wrap("cuDeviceGetName", err)
	}
	id, err := device.UUID()
	if err != nil {
		return c, wrap("cuDeviceGetUuid", err)
	}
	c.UUID = "GPU-" + id.String()
	memory, err := device.TotalMem()
	if err != nil {
		return c, wrap("cuDeviceTotalMem", err)
	}
	c.Memory = uint64(memory)
	return c, c.ask(device)
}

// ask fills in the attributes.
func (c *Card) ask(device cu.Device) error {
	var reads int
	for _, a := range []struct {
		attribute cu.DeviceAttribute
		to        *int
	}{
		{cu.ComputeCapabilityMajor, &c.Major},
		{cu.ComputeCapabilityMinor, &c.Minor},
		{cu.MultiprocessorCount, &c.Multiprocessors},
		{cu.MaxThreadsPerMultiprocessor, &c.MaxThreadsPerMultiprocessor},
		{C.CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, &reads},
	} {
		value, err := device.Attribute(a.attribute)
		if err != nil {
			return wrap("cuDeviceGetAttribute", err)
		}
		*a.to = value
	}
	pools, err := device.Attribute(C.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
	if err != nil && !errors.Is(err, cu.InvalidValue) { // which a driver says that has never heard of them
		return wrap("cuDeviceGetAttribute", err)
	}
	c.PoolsSupported, c.ReadsRegistered = err == nil && pools != 0, reads != 0
	return nil
}

// String says it in one line.
func (c Card) String() string {
	return fmt.Sprintf("%s, compute capability %d.%d, CUDA %s", c.Name, c.Major, c.Minor, c.Driver)
}

// version is the driver's, 12040 written as 12.4.
func version() string {
	v := cu.Version()
	return strconv.Itoa(v/1000) + "." + strconv.Itoa(v%1000/10)
}
