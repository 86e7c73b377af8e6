// Neural networks; package network launches these.
#include "network_lists.cuh"
#include "network_cell.cuh"
#include "network_gather.cuh"
#include "network_rows.cuh"
#include "network_product.cuh"
