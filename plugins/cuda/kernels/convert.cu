// Edge columns of any numeric type as the doubles that programs read.
#include "block.cuh"
#include "memory.cuh"
#include "number.cuh"

const u64 NULL_BITS = 0x7ff8000000000001; // what the host has for a null: Go's NaN

template <typename T> static __device__ __forceinline__ void convert_from(u64 *to, const T *from, const u8 *validity, u64 n) {
	for (u64 i = first_index(); i < n; i += stride()) {
		bool null = validity && !(load(validity + i / 8) >> (i % 8) & 1);
		store(to + i, null ? NULL_BITS : bits_of((f64)load(from + i)));
	}
}

// The types are those of Numeric in plain.go; validity is a bitmap of bytes, or 0 where nothing is null.
extern "C" __global__ void convert(u64 *to, const void *from, u64 type, const u8 *validity, u64 n) {
	switch (type) {
	case 0:
		return convert_from(to, (const f64 *)from, validity, n);
	case 1:
		return convert_from(to, (const float *)from, validity, n);
	case 2:
		return convert_from(to, (const i64 *)from, validity, n);
	case 3:
		return convert_from(to, (const i32 *)from, validity, n);
	case 4:
		return convert_from(to, (const short *)from, validity, n);
	case 5:
		return convert_from(to, (const signed char *)from, validity, n);
	case 6:
		return convert_from(to, (const u64 *)from, validity, n);
	case 7:
		return convert_from(to, (const u32 *)from, validity, n);
	case 8:
		return convert_from(to, (const unsigned short *)from, validity, n);
	case 9:
		return convert_from(to, (const u8 *)from, validity, n);
	}
}
