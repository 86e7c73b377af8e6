// What needs nothing of a program: chunks as they arrive, bitmaps and lists.
#include "convert.cu"
#include "scan.cu"
#include "validate.cu"
