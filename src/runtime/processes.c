/* processes.c - makes a context one of several processes: finds its comm, divides the devices, and
 * agrees with the others on all that must be the same everywhere.
 *
 *     tsr_open(.comm = "mpi", .devices = 8) on three processes, .devices_here = 3, 3 and 2:
 *     process 0 has devices 0, 1, 2; process 1 has 3, 4, 5; process 2 has 6, 7 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include "kernel/kernel.h"

/* ---- which comm */

static const struct mpi_kind {
	const char *name;     /* of the plug-in, and in .comm */
	const char *version;  /* its MPI_Get_library_version begins with that */
	const char *launcher; /* a variable that its launcher sets */
	const char *package;
} kinds[] = {
	{"openmpi", "Open MPI", "OMPI_COMM_WORLD_SIZE", "openmpi-bin"},
	{"mpich", "MPICH", "PMI_RANK", "mpich"},
};

/* the MPI that the program is linked with; NULL: none, or an unknown one */
static const struct mpi_kind *kind_loaded(void)
{
	union {
		void *object;
		int (*call)(char *, int *);
	} version = {dlsym(RTLD_DEFAULT, "MPI_Get_library_version")};
	char text[8192] = "";
	int n = 0;

	if (!version.object) return NULL;
	version.call(text, &n);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strncmp(text, kinds[i].version, strlen(kinds[i].version)) == 0)
			return &kinds[i];
	return NULL;
}

static const struct mpi_kind *kind_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(name, kinds[i].name) == 0) return &kinds[i];
	return NULL;
}

static const struct mpi_kind *kind_launched(void)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (environment(kinds[i].launcher)) return &kinds[i];
	return NULL;
}

static const comm_type *comm_of(plugin *p, const char *dir, const struct mpi_kind *kind)
{
	char file[64];

	snprintf(file, sizeof file, "mpi-%s", kind->name);
	if (!plugin_open(p, dir, file)) return NULL;
	const comm_type *t = dlsym(p->object, "tsr__comm");
	if (t && strcmp(t->abi, COMM_ABI) == 0) return t;
	plugin_refuse(p, t ? "it was made for another release of libtsr"
	                   : "it does not define tsr__comm");
	return NULL;
}

static const comm_type *mpi_find(tsr_ctx *ctx, const char *where, const char *name)
{
	const struct mpi_kind *loaded = kind_loaded(), *asked = kind_named(name);
	const struct mpi_kind *kind = asked ? asked : loaded ? loaded : kind_launched();
	plugin p = {0};

	if (asked && loaded && asked != loaded) {
		fail(&ctx->base, where, TSR_ERROR_PLUGIN,
		     ".comm \"%s\": the program is linked with %s, and cannot have %s beside it; "
		     "use the mpicc, the mpirun and the .comm of one of them",
		     name, loaded->version, asked->version);
		return NULL;
	}
	const comm_type *t = comm_of(&p, ctx->plugin_dir, kind ? kind : &kinds[0]);
	for (size_t i = 1; !t && !kind && i < ARRAY_LEN(kinds); i++)
		t = comm_of(&p, ctx->plugin_dir, &kinds[i]);
	if (t) return t;
	fail(&ctx->base, where, TSR_ERROR_PLUGIN, ".comm \"%s\": %s", name, p.why);
	fail_note(&ctx->base,
	          "the plug-in is built where CMake finds an mpicc (Debian and Ubuntu: the package "
	          "%s, and lib%s-dev to build)",
	          kind ? kind->package : kinds[0].package, kind ? kind->name : kinds[0].name);
	return NULL;
}

bool comm_find(tsr_ctx *ctx, const char *where, const char *given, const comm_type **out)
{
	const char *name = given ? given : environment("TSR_COMM");

	*out = NULL;
	if (!name || !*name || strcmp(name, "self") == 0) return true;
	if (strcmp(name, "mpi") == 0 || kind_named(name))
		return (*out = mpi_find(ctx, where, name));
	return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	            ".comm must be \"self\", \"mpi\", \"openmpi\" or \"mpich\", got \"%s\"", name);
}

/* ---- devices */

static bool divide(tsr_ctx *ctx, const char *where, int64_t all, int64_t here, int64_t *each)
{
	const int n = ctx->processes->comm->size, rank = ctx->processes->comm->rank;
	int64_t sum = 0;

	each[rank] = here;
	if (!gather_bytes(ctx->processes, ctx->processes->all, each, sizeof *each)) return false;
	bool given = false;
	for (int i = 0; i < n; i++) given |= each[i] != 0;
	if (!given && all % n)
		return fail(
			&ctx->base, where, TSR_ERROR_ARGUMENT,
			"%lld .devices cannot be divided evenly among %d processes; give each its "
			"own number, .devices_here",
			(long long)all, n);
	for (int i = 0; i < n; i++) {
		if (!given) each[i] = all ? all / n : 1;
		sum += each[i];
	}
	if (!given || !all || sum == all) return true;
	return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	            "the .devices_here of all processes are %lld, and .devices is %lld",
	            (long long)sum, (long long)all);
}

int64_t *devices_divide(tsr_ctx *ctx, const char *where, int64_t all, int64_t here)
{
	int64_t *each = mem_array(&ctx->base, (size_t)ctx->processes->comm->size, sizeof *each);

	if (each && divide(ctx, where, all, here, each)) return each;
	mem_free(&ctx->base, each);
	return NULL;
}

/* ---- what must be the same everywhere */

enum { FACTS = 1024 };

const char *release_here = RELEASE;

/* the elementary functions are those of a library, whose release may be another one elsewhere */
static uint64_t functions_hash(void)
{
	static const double x[][2] = {{0.3, 0.7}, {-0.9, 2.1}, {1.7, -0.4}, {1e5, 3e-7}};
	uint64_t hash = 0;

	for (kfn f = 0; f < KFNS; f++)
		for (size_t i = 0; i < ARRAY_LEN(x); i++) {
			const double y = kfn_f64(f, x[i]);
			hash = hash_bytes(&y, sizeof y, hash);
		}
	return hash;
}

/* what of its letters changes programs, or what they exchange */
static void letters_put(str *s, const ir *r)
{
	for (const char *c = "nNw"; *c; c++)
		str_printf(s, ", debug letter %c %s", *c, debugs(r, *c) ? "on" : "off");
}

/* which also opens the libraries of an engine that compiles */
static void engine_put(str *s, engine *e)
{
	const bool compiles = !e->type->why_not(e);
	const char *libraries = e->libraries ? e->libraries : "none";

	libraries += strspn(libraries, " "); /* " OpenBLAS 0.3.21 " */
	int n = (int)strlen(libraries);
	while (n && libraries[n - 1] == ' ') n--;
	str_printf(s, "engine \"%s\", %s, the library %.*s", e->type->name,
	           compiles ? "machine code" : "no machine code", n, libraries);
}

static bool facts_write(const tsr_ctx *ctx, char facts[FACTS])
{
	str s = {.base = ctx->engine->base};

	str_printf(&s, "release %s, %lld devices, ", release_here, (long long)ctx->ndevices);
	engine_put(&s, ctx->engine);
	str_printf(&s,
	           ", elementary functions of the kind %llx, dtype %s, .threefry_original = %s, "
	           ".reproducible = %s, .precision = %d",
	           (unsigned long long)functions_hash(), ctx->base.x64 ? "f64" : "f32",
	           ctx->threefry_original ? "true" : "false",
	           ctx->ir.by_mesh ? "TSR_BY_MESH" : "TSR_BY_DEVICES", (int)ctx->precision);
	letters_put(&s, &ctx->ir);
	memset(facts, 0, FACTS);
	const bool ok = s.s && !s.lost;
	if (ok) snprintf(facts, FACTS, "%s", s.s);
	str_free(&s);
	return ok;
}

/* the first of the facts, divided by commas, in which two lists differ */
static void first_difference(const char *a, const char *b, str *s, int rank_a, int rank_b)
{
	size_t at = 0, from = 0;

	for (; a[at] && a[at] == b[at]; at++)
		if (a[at] == ',') from = at + 2;
	str_printf(s, "rank %d has %.*s, and rank %d has %.*s", rank_a, (int)strcspn(a + from, ","),
	           a + from, rank_b, (int)strcspn(b + from, ","), b + from);
}

static bool facts_differ(tsr_ctx *ctx, const char *where, const char mine[FACTS])
{
	processes *ps = ctx->processes;
	char(*all)[FACTS] = mem_array(&ctx->base, (size_t)ps->comm->size, FACTS);
	str s = {.base = &ctx->base};
	int other = 1;

	if (all) memcpy(all[ps->comm->rank], mine, FACTS);
	if (!all || !gather_bytes(ps, ps->all, all, FACTS)) return mem_free(&ctx->base, all), false;
	while (other < ps->comm->size - 1 && strcmp(all[0], all[other]) == 0) other++;
	first_difference(all[0], all[other], &s, 0, other);
	fail(&ctx->base, where, TSR_ERROR_PROCESS, "the processes differ: %s", s.s ? s.s : "?");
	const char *why = ctx->engine->type->why_not(ctx->engine);
	if (why) fail_note(&ctx->base, "this one has no machine code: %s", why);
	str_free(&s);
	mem_free(&ctx->base, all);
	return false;
}

static void join_hashes(void *a, const void *b)
{
	uint64_t *x = a;
	const uint64_t *y = b;

	x[0] = x[0] < y[0] ? x[0] : y[0];
	x[1] = x[1] > y[1] ? x[1] : y[1];
}

bool processes_agree(tsr_ctx *ctx, const char *where)
{
	char facts[FACTS];

	if (!facts_write(ctx, facts)) return false;
	const uint64_t hash = hash_bytes(facts, FACTS, 0);
	uint64_t both[2] = {hash, hash};
	if (!agree(ctx->processes, ctx->processes->all, both, sizeof both, join_hashes))
		return false;
	return both[0] == both[1] || facts_differ(ctx, where, facts);
}

static void join_least(void *a, const void *b)
{
	int *x = a;
	const int *y = b;

	*x = *x < *y ? *x : *y;
}

bool instructions_agree(tsr_ctx *ctx)
{
	int bytes = instructions_chosen();

	if (!agree(ctx->processes, ctx->processes->all, &bytes, sizeof bytes, join_least))
		return false;
	instructions_lower(bytes);
	return true;
}

/* ---- teams. Of two shardings, by their sets of devices: remembered, since it takes a walk through
 * all of these devices to find one */

typedef struct known_team {
	const device_list *list[2]; /* NULL: it has one device, */
	int64_t device[2];          /* this one */
	team *team;
} known_team;

static known_team team_key(const sharding *a, const sharding *b)
{
	return (known_team){
		{a->mesh ? a->mesh->list->set : NULL, b->mesh ? b->mesh->list->set : NULL},
		{a->mesh ? 0 : a->device, b->mesh ? 0 : b->device},
		NULL};
}

static bool same_team(const void *entry, const void *wanted)
{
	const known_team *a = entry, *b = wanted;

	return memcmp(a->list, b->list, sizeof a->list) == 0 &&
	       memcmp(a->device, b->device, sizeof a->device) == 0;
}

static int compare_ranks(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int list_ranks(const tsr_ctx *ctx, const sharding *s, int *rank, int n)
{
	for (int64_t i = 0; i < sharding_ndevices(s); i++) {
		const int process = ctx->devices[sharding_device(s, i)].process;
		if (!n || rank[n - 1] != process) rank[n++] = process;
	}
	return n;
}

static team *team_find(tsr_ctx *ctx, const sharding *a, const sharding *b)
{
	const size_t most = (size_t)(sharding_ndevices(a) + sharding_ndevices(b));
	int *rank = mem_array(&ctx->base, most, sizeof *rank), n = 0, unique = 0;

	if (!rank) return NULL;
	n = list_ranks(ctx, a, rank, n);
	if (sharding_devices(a) != sharding_devices(b)) n = list_ranks(ctx, b, rank, n);
	qsort(rank, (size_t)n, sizeof *rank, compare_ranks);
	for (int i = 0; i < n; i++)
		if (!unique || rank[unique - 1] != rank[i]) rank[unique++] = rank[i];
	team *t = team_of(ctx->processes, rank, unique);
	mem_free(&ctx->base, rank);
	return t;
}

team *team_of_shardings(tsr_ctx *ctx, const sharding *a, const sharding *b)
{
	const known_team key = team_key(a, b);
	const uint64_t hash = hash_bytes(&key, sizeof key, 0);
	known_team *t = table_find(&ctx->teams, hash, same_team, &key);

	if (t) return t->team;
	t = arena_copy(ctx->arena, &key, sizeof key);
	if (!t || !(t->team = team_find(ctx, a, b))) return NULL;
	return table_add(&ctx->teams, hash, t) ? t->team : NULL;
}
