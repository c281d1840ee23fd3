/* topology.c - how many cores this process may use: those that its affinity allows (hwloc), and no
 * more than the quota of its cgroup (versions 1 and 2); and how large caches are. */
#include <hwloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "engine/cpu/native/jit.h"

#define MOST_PATH 4096

/* ---- quotas, in cores; 0: none */

static int cores_of(long long quota, long long period)
{
	if (quota <= 0 || period <= 0) return 0;
	return quota < period ? 1 : (int)((quota + period / 2) / period);
}

static bool read_line(const char *path, char *line, int n)
{
	FILE *f = fopen(path, "re");
	const bool there = f && fgets(line, n, f);

	if (f) fclose(f);
	return there;
}

static int quota_2(const char *folder)
{
	char path[MOST_PATH + 64], line[128];
	long long quota, period;

	snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", folder);
	if (!read_line(path, line, sizeof line)) return 0;
	return sscanf(line, "%lld %lld", &quota, &period) == 2 ? cores_of(quota, period) : 0;
}

static long long number_in(const char *folder, const char *file)
{
	char path[MOST_PATH + 64], line[128];
	long long x;

	snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/%s", folder, file);
	return read_line(path, line, sizeof line) && sscanf(line, "%lld", &x) == 1 ? x : 0;
}

static int quota_1(const char *folder)
{
	return cores_of(number_in(folder, "cpu.cfs_quota_us"),
	                number_in(folder, "cpu.cfs_period_us"));
}

static void lower(int *limit, int quota)
{
	if (quota && (!*limit || quota < *limit)) *limit = quota;
}

/* A cgroup and each one around it may have a quota. In a container the path is often that of the
 * host; then the root of the mounted folder has the quota */
static void lower_by_folder(int *limit, char *folder, int (*quota)(const char *))
{
	for (char *end = folder + strlen(folder); end > folder; end = strrchr(folder, '/')) {
		*end = 0;
		lower(limit, quota(folder));
	}
	lower(limit, quota(""));
}

/* lines of /proc/self/cgroup: "0::/folder", or "number:cpu,cpuacct:/folder" */
static int quota_of_process(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[MOST_PATH];
	int limit = 0;

	while (f && fgets(line, sizeof line, f)) {
		char *kind = strchr(line, ':'), *folder = kind ? strchr(kind + 1, ':') : NULL;
		if (!folder) continue;
		*folder++ = 0;
		folder[strcspn(folder, "\n")] = 0;
		if (!kind[1])
			lower_by_folder(&limit, folder, quota_2);
		else if (!strncmp(kind, ":cpu,", 5) || !strcmp(kind, ":cpu") ||
		         strstr(kind, ",cpu,"))
			lower_by_folder(&limit, folder, quota_1);
	}
	if (f) fclose(f);
	return limit;
}

/* ---- cores */

/* cores of which at least one hardware thread is in the affinity of the process */
static int cores_allowed(void)
{
	hwloc_topology_t t;
	int n = 0;

	if (hwloc_topology_init(&t)) return 0;
	hwloc_bitmap_t mine = hwloc_bitmap_alloc();
	if (mine && !hwloc_topology_load(t) && !hwloc_get_cpubind(t, mine, HWLOC_CPUBIND_PROCESS))
		for (hwloc_obj_t core = NULL;
		     (core = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_CORE, core));)
			n += hwloc_bitmap_intersects(core->cpuset, mine);
	hwloc_bitmap_free(mine);
	hwloc_topology_destroy(t);
	return n;
}

static int cores;

static bool ask_hwloc(void *nothing)
{
	(void)nothing;
	return (cores = cores_allowed()) > 0;
}

static void count_cores(void)
{
	const int quota = quota_of_process();
	char error[64];

	gate_visit(ask_hwloc, NULL, error, sizeof error);
	if (quota && quota < cores) cores = quota;
	if (cores < 1) cores = 1;
}

int topology_cores(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, count_cores);
	return cores;
}

/* ---- caches */

/* the C library asks the processor itself, which takes no time */
static int64_t ask_size(int level)
{
	int64_t bytes = 0;

#ifdef _SC_LEVEL3_CACHE_SIZE
	bytes = sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
	return bytes > 0 ? bytes : 0;
}

int64_t topology_cache(int level)
{
	static _Atomic int64_t known[4]; /* 1 + bytes; 0: not asked yet */
	int64_t bytes = known[level];

	if (!bytes) known[level] = bytes = 1 + ask_size(level);
	return bytes - 1;
}
