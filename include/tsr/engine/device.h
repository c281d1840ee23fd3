/* tsr/engine/device.h - devices, as engines see them: an id, and where the memory of each is. */
#ifndef TSR_ENGINE_DEVICE_H
#define TSR_ENGINE_DEVICE_H
#include <stdint.h>

/* Devices of one memory can read and write each other's buffers; of others the engine copies. */
typedef struct device {
	int64_t id; /* its place in the context's list */
	int process, memory;
} device;

/* The devices of a program: their ids, in an order. "The k-th device" of a program is device[k];
 * axes of a mesh number these places, row-major. */
typedef struct device_set {
	int64_t n;
	const int64_t *device;
} device_set;

#endif
