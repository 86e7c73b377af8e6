package driver

// #include <cuda.h>
import "C"

import (
	"math"
	"unsafe"
)

// keepPool has the card's pool keep what is freed. By default it would give all of it back whenever a
// stream is waited for, and chunks come and go all the time.
func (c *Context) keepPool() error {
	if !c.Card.PoolsSupported {
		return nil
	}
	if err := failed("cuDeviceGetDefaultMemPool", C.cuDeviceGetDefaultMemPool(&c.pool, C.CUdevice(c.device))); err != nil {
		return err
	}
	threshold := C.cuuint64_t(math.MaxUint64)
	return failed("cuMemPoolSetAttribute",
		C.cuMemPoolSetAttribute(c.pool, C.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, unsafe.Pointer(&threshold)))
}

// Trim gives back to the card what was freed, for other processes.
func (c *Context) Trim() error {
	if !c.Card.PoolsSupported {
		return nil
	}
	return c.during(func() error { return failed("cuMemPoolTrimTo", C.cuMemPoolTrimTo(c.pool, 0)) })
}

// spare is what the pool has kept, for this process.
func (c *Context) spare() (uint64, error) {
	if !c.Card.PoolsSupported {
		return 0, nil
	}
	reserved, err := c.poolAttribute(C.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
	if err != nil {
		return 0, err
	}
	used, err := c.poolAttribute(C.CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
	return reserved - min(used, reserved), err
}

func (c *Context) poolAttribute(attribute C.CUmemPool_attribute) (uint64, error) {
	var value C.cuuint64_t
	err := failed("cuMemPoolGetAttribute", C.cuMemPoolGetAttribute(c.pool, attribute, unsafe.Pointer(&value)))
	return uint64(value), err
}
