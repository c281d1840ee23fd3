/* test_shard.c - meshes, specs and shardings: values against JAX's, laws against a slow oracle,
 * every error text, and failing allocations. cmocka.h comes last: it makes fail() a macro. */
#include "shard/shard.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

typedef struct world {
	base base;
	shards all;
	device *device;
} world;

static void world_open(world *w, int64_t ndevices)
{
	assert_true(base_init(&w->base, NULL, NULL, 0));
	w->device = calloc((size_t)ndevices, sizeof *w->device);
	assert_non_null(w->device);
	for (int64_t k = 0; k < ndevices; k++)
		w->device[k].id = k;
	assert_true(shards_init(&w->all, &w->base, NULL, w->device, ndevices));
}

static void world_close(world *w)
{
	shards_fini(&w->all);
	error_clear(&w->base);
	base_fini(&w->base);
	assert_int_equal(mem_in_use(&w->base), 0);
	free(w->device);
}

/* "1,2,3"; returns how many */
static int read_numbers(const char *text, int64_t *out)
{
	int n = 0;
	for (char *end; *text; text = *end ? end + 1 : end)
		out[n++] = strtoll(text, &end, 10);
	return n;
}

/* axes "x:4 y:2"; ids "" for the first devices */
static const mesh *mesh_like(world *w, const char *axes, const char *ids)
{
	char name[8][16];
	tsr_axis axis[8];
	int64_t id[64];
	size_t n = 0;
	for (int used; *axes; axes += used, n++) {
		long long size = 0;
		assert_int_equal(sscanf(axes, "%15[^:]:%lld%n", name[n], &size, &used), 2);
		used += axes[used] == ' ';
		axis[n] = (tsr_axis){name[n], size};
	}
	const int nids = read_numbers(ids, id);
	return mesh_make(&w->all, "t.c:1", axis, n, nids > 0 ? id : NULL, (size_t)nids);
}

static const sharding *sharding_like(world *w, const mesh *m, const char *text)
{
	spec_room room;
	assert_true(spec_read_text(&w->base, "t.c:2", "spec", m, &text, &room));
	assert_int_equal(*text, 0);
	return sharding_of_room(&w->all, m, &room);
}

static void assert_error(world *w, tsr_code code, const char *text)
{
	assert_int_equal(error_code(&w->base), code);
	if (!strstr(error_text(&w->base), text))
		fail_msg("got:  %s\nwant: %s", error_text(&w->base), text);
	error_clear(&w->base);
}

static void assert_text(str *got, const char *want)
{
	assert_false(got->lost);
	assert_string_equal(got->s, want);
	str_free(got);
}

/* ---- values that JAX 0.10 gives on 8 CPU devices */

static const struct jax_case {
	const char *axes, *ids, *sig, *spec, *dims;
	const char *boxes;        /* start:stop of each dim, for each device */
	const char *replicas;
} jax_cases[] = {
	{"x:4 y:2", "", "[x,y]", "P('x', 'y')", "8,16",
	 "0:2,0:8 0:2,8:16 2:4,0:8 2:4,8:16 4:6,0:8 4:6,8:16 6:8,0:8 6:8,8:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[y,x]", "P('y', 'x')", "8,16",
	 "0:4,0:4 4:8,0:4 0:4,4:8 4:8,4:8 0:4,8:12 4:8,8:12 0:4,12:16 4:8,12:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[x]", "P('x',)", "8,16",
	 "0:2,0:16 0:2,0:16 2:4,0:16 2:4,0:16 4:6,0:16 4:6,0:16 6:8,0:16 6:8,0:16",
	 "0 1 0 1 0 1 0 1"},
	{"x:4 y:2", "", "[y]", "P('y',)", "8,16",
	 "0:4,0:16 4:8,0:16 0:4,0:16 4:8,0:16 0:4,0:16 4:8,0:16 0:4,0:16 4:8,0:16",
	 "0 0 1 1 2 2 3 3"},
	{"x:4 y:2", "", "[-,x]", "P(None, 'x')", "8,16",
	 "0:8,0:4 0:8,0:4 0:8,4:8 0:8,4:8 0:8,8:12 0:8,8:12 0:8,12:16 0:8,12:16",
	 "0 1 0 1 0 1 0 1"},
	{"x:4 y:2", "", "[-,y]", "P(None, 'y')", "8,16",
	 "0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16",
	 "0 0 1 1 2 2 3 3"},
	{"x:4 y:2", "", "[x*y]", "P(('x', 'y'),)", "8,16",
	 "0:1,0:16 1:2,0:16 2:3,0:16 3:4,0:16 4:5,0:16 5:6,0:16 6:7,0:16 7:8,0:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[y*x]", "P(('y', 'x'),)", "8,16",
	 "0:1,0:16 4:5,0:16 1:2,0:16 5:6,0:16 2:3,0:16 6:7,0:16 3:4,0:16 7:8,0:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[-,x*y]", "P(None, ('x', 'y'))", "8,16",
	 "0:8,0:2 0:8,2:4 0:8,4:6 0:8,6:8 0:8,8:10 0:8,10:12 0:8,12:14 0:8,14:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[-,y*x]", "P(None, ('y', 'x'))", "8,16",
	 "0:8,0:2 0:8,8:10 0:8,2:4 0:8,10:12 0:8,4:6 0:8,12:14 0:8,6:8 0:8,14:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:4 y:2", "", "[]", "P()", "8,16",
	 "0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16",
	 "0 1 2 3 4 5 6 7"},
	{"x:2 y:4", "", "[x,y]", "P('x', 'y')", "8,16",
	 "0:4,0:4 0:4,4:8 0:4,8:12 0:4,12:16 4:8,0:4 4:8,4:8 4:8,8:12 4:8,12:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[y,x]", "P('y', 'x')", "8,16",
	 "0:2,0:8 2:4,0:8 4:6,0:8 6:8,0:8 0:2,8:16 2:4,8:16 4:6,8:16 6:8,8:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[x]", "P('x',)", "8,16",
	 "0:4,0:16 0:4,0:16 0:4,0:16 0:4,0:16 4:8,0:16 4:8,0:16 4:8,0:16 4:8,0:16",
	 "0 1 2 3 0 1 2 3"},
	{"x:2 y:4", "", "[y]", "P('y',)", "8,16",
	 "0:2,0:16 2:4,0:16 4:6,0:16 6:8,0:16 0:2,0:16 2:4,0:16 4:6,0:16 6:8,0:16",
	 "0 0 0 0 1 1 1 1"},
	{"x:2 y:4", "", "[-,x]", "P(None, 'x')", "8,16",
	 "0:8,0:8 0:8,0:8 0:8,0:8 0:8,0:8 0:8,8:16 0:8,8:16 0:8,8:16 0:8,8:16",
	 "0 1 2 3 0 1 2 3"},
	{"x:2 y:4", "", "[-,y]", "P(None, 'y')", "8,16",
	 "0:8,0:4 0:8,4:8 0:8,8:12 0:8,12:16 0:8,0:4 0:8,4:8 0:8,8:12 0:8,12:16",
	 "0 0 0 0 1 1 1 1"},
	{"x:2 y:4", "", "[x*y]", "P(('x', 'y'),)", "8,16",
	 "0:1,0:16 1:2,0:16 2:3,0:16 3:4,0:16 4:5,0:16 5:6,0:16 6:7,0:16 7:8,0:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[y*x]", "P(('y', 'x'),)", "8,16",
	 "0:1,0:16 2:3,0:16 4:5,0:16 6:7,0:16 1:2,0:16 3:4,0:16 5:6,0:16 7:8,0:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[-,x*y]", "P(None, ('x', 'y'))", "8,16",
	 "0:8,0:2 0:8,2:4 0:8,4:6 0:8,6:8 0:8,8:10 0:8,10:12 0:8,12:14 0:8,14:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[-,y*x]", "P(None, ('y', 'x'))", "8,16",
	 "0:8,0:2 0:8,4:6 0:8,8:10 0:8,12:14 0:8,2:4 0:8,6:8 0:8,10:12 0:8,14:16",
	 "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[]", "P()", "8,16",
	 "0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16 0:8,0:16",
	 "0 1 2 3 4 5 6 7"},
	{"a:2 b:2 c:2", "", "[a,b,c]", "P('a', 'b', 'c')", "8,8,4",
	 "0:4,0:4,0:2 0:4,0:4,2:4 0:4,4:8,0:2 0:4,4:8,2:4 4:8,0:4,0:2 4:8,0:4,2:4 "
	 "4:8,4:8,0:2 4:8,4:8,2:4",
	 "0 0 0 0 0 0 0 0"},
	{"a:2 b:2 c:2", "", "[c,a]", "P('c', 'a')", "8,8,4",
	 "0:4,0:4,0:4 4:8,0:4,0:4 0:4,0:4,0:4 4:8,0:4,0:4 0:4,4:8,0:4 4:8,4:8,0:4 "
	 "0:4,4:8,0:4 4:8,4:8,0:4",
	 "0 0 1 1 0 0 1 1"},
	{"a:2 b:2 c:2", "", "[a*c,b]", "P(('a', 'c'), 'b')", "8,8,4",
	 "0:2,0:4,0:4 2:4,0:4,0:4 0:2,4:8,0:4 2:4,4:8,0:4 4:6,0:4,0:4 6:8,0:4,0:4 "
	 "4:6,4:8,0:4 6:8,4:8,0:4",
	 "0 0 0 0 0 0 0 0"},
	{"a:2 b:2 c:2", "", "[c*a,-,b]", "P(('c', 'a'), None, 'b')", "8,8,4",
	 "0:2,0:8,0:2 4:6,0:8,0:2 0:2,0:8,2:4 4:6,0:8,2:4 2:4,0:8,0:2 6:8,0:8,0:2 "
	 "2:4,0:8,2:4 6:8,0:8,2:4",
	 "0 0 0 0 0 0 0 0"},
	{"a:2 b:2 c:2", "", "[-,b*a]", "P(None, ('b', 'a'))", "8,8,4",
	 "0:8,0:2,0:4 0:8,0:2,0:4 0:8,4:6,0:4 0:8,4:6,0:4 0:8,2:4,0:4 0:8,2:4,0:4 "
	 "0:8,6:8,0:4 0:8,6:8,0:4",
	 "0 1 0 1 0 1 0 1"},
	{"a:2 b:2 c:2", "", "[b]", "P('b',)", "8,8,4",
	 "0:4,0:8,0:4 0:4,0:8,0:4 4:8,0:8,0:4 4:8,0:8,0:4 0:4,0:8,0:4 0:4,0:8,0:4 "
	 "4:8,0:8,0:4 4:8,0:8,0:4",
	 "0 1 0 1 2 3 2 3"},
	{"x:4 y:2", "0,1,2,3,6,7,4,5", "[x,y]", "P('x', 'y')", "8,4",
	 "0:2,0:2 0:2,2:4 2:4,0:2 2:4,2:4 4:6,0:2 4:6,2:4 6:8,0:2 6:8,2:4",
	 "0 0 0 0 0 0 0 0"},
	{"i:8", "", "[i]", "P('i',)", "16",
	 "0:2 2:4 4:6 6:8 8:10 10:12 12:14 14:16",
	 "0 0 0 0 0 0 0 0"},
	{"i:8", "", "[]", "P()", "",
	 "       ",
	 "0 1 2 3 4 5 6 7"},
	{"i:4", "", "[i,-]", "P('i', None)", "8,2",
	 "0:2,0:2 2:4,0:2 4:6,0:2 6:8,0:2",
	 "0 0 0 0"},
};

static void put_box(str *out, const sharding *s, const int64_t *dims, int ndim, int64_t k)
{
	int64_t start[8], stop[8];
	sharding_box(s, dims, ndim, k, start, stop);
	for (int d = 0; d < ndim; d++)
		str_printf(out, "%s%lld:%lld", d > 0 ? "," : "", (long long)start[d],
		           (long long)stop[d]);
}

static void check_jax_case(world *w, const struct jax_case *c)
{
	const mesh *m = mesh_like(w, c->axes, c->ids);
	assert_non_null(m);
	spec_room room;
	const char *at = c->sig;
	assert_true(spec_read_text(&w->base, NULL, "spec", m, &at, &room));
	const spec written = {room.ndim, room.start, room.axis};
	str text = {.base = &w->base};
	spec_text(&text, m, &written);
	assert_text(&text, c->spec);
	const sharding *s = sharding_of_room(&w->all, m, &room);
	assert_non_null(s);
	int64_t dims[8];
	const int ndim = read_numbers(c->dims, dims);
	str boxes = {.base = &w->base}, replicas = {.base = &w->base};
	for (int64_t k = 0; k < m->size; k++) {
		str_put(&boxes, k > 0 ? " " : "");
		put_box(&boxes, s, dims, ndim, k);
		str_printf(&replicas, "%s%lld", k > 0 ? " " : "",
		           (long long)sharding_replica(s, k));
		assert_int_equal(sharding_device(s, k), m->device[k]);
	}
	assert_text(&boxes, c->boxes);
	assert_text(&replicas, c->replicas);
}

static void test_values_are_jax_values(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	for (size_t i = 0; i < ARRAY_LEN(jax_cases); i++)
		check_jax_case(&w, &jax_cases[i]);
	world_close(&w);
}

/* ---- interning and text */

static void test_interning(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:4 y:2", "");
	assert_ptr_equal(m, mesh_like(&w, "x:4 y:2", "0,1,2,3,4,5,6,7"));
	const mesh *turned = mesh_like(&w, "x:4 y:2", "0,1,2,3,6,7,4,5");
	const mesh *renamed = mesh_like(&w, "a:4 b:2", "");
	assert_ptr_not_equal(m, turned);
	assert_ptr_not_equal(m, renamed);
	assert_ptr_not_equal(m, mesh_like(&w, "x:4 y:1", ""));
	assert_true(m->hash == renamed->hash && m->hash != turned->hash);
	assert_true(m->ordered && !turned->ordered && !mesh_like(&w, "x:3", "1,0,2")->ordered);
	assert_true(mesh_same_devices(m, renamed) && !mesh_same_devices(m, turned));
	assert_int_equal(mesh_axis(m, "yz", 1), 1);
	assert_int_equal(mesh_axis(m, "yz", 2), -1);
	assert_int_equal(mesh_axis(m, "", 0), -1);
	const sharding *s = sharding_like(&w, m, "[x]");
	assert_ptr_equal(s, sharding_like(&w, m, " [ x , - , ]"));
	assert_ptr_equal(s, sharding_of_spec(&w.all, m, &s->spec));
	assert_ptr_not_equal(s, sharding_like(&w, m, "[-,x]"));
	assert_ptr_not_equal(s, sharding_like(&w, renamed, "[a]"));
	assert_ptr_not_equal(sharding_like(&w, m, "[x*y]"), sharding_like(&w, m, "[y*x]"));
	assert_ptr_equal(sharding_like(&w, m, "[]"), sharding_replicated_on(&w.all, m));
	assert_ptr_equal(sharding_one(&w.all, NULL, 3), sharding_one(&w.all, NULL, 3));
	assert_ptr_not_equal(sharding_one(&w.all, NULL, 3), sharding_one(&w.all, NULL, 4));
	world_close(&w);
}

static void test_texts(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:4 y:2", "");
	str text = {.base = &w.base};
	sharding_text(&text, sharding_like(&w, m, "[x,y]"));
	assert_text(&text, "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y'))");
	sharding_text(&text, sharding_one(&w.all, NULL, 0));
	assert_text(&text, "SingleDeviceSharding(device=0)");
	sharding_text(&text, sharding_like(&w, m, "[-,y*x]"));
	assert_text(&text, "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P(None, ('y', 'x')))");
	const sharding *s = sharding_like(&w, m, "[y*x]");
	spec_sig_text(&text, m, &s->spec, 3);
	assert_text(&text, "[y*x,-,-]");
	spec_sig_text(&text, m, &s->spec, 0);
	assert_text(&text, "[]");
	world_close(&w);
}

/* ---- reading */

static const struct spec_case { tsr_spec written; const char *text; } spec_cases[] = {
	{{0, {NULL}}, "P()"},
	{{1, {NULL}}, "P()"},
	{{2, {NULL, "x"}}, "P('x',)"},
	{{2, {NULL, "-"}}, "P(None,)"},
	{{3, {NULL, " x\t", NULL}}, "P('x', None)"},
	{{3, {NULL, NULL, " y * x "}}, "P(None, ('y', 'x'))"},
	{{4, {NULL, "x*pipe_0.a", " - ", "y"}}, "P(('x', 'pipe_0.a'), None, 'y')"},
	{{9, {NULL, "x", "y", NULL, NULL, NULL, NULL, NULL, NULL}},
	 "P('x', 'y', None, None, None, None, None, None)"},
};

static void test_spec_read(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:2 y:2 pipe_0.a:2", "");
	for (size_t i = 0; i < ARRAY_LEN(spec_cases); i++) {
		spec_room room;
		assert_true(spec_read(&w.base, NULL, "s", m, &spec_cases[i].written, &room));
		const spec read = {room.ndim, room.start, room.axis};
		str text = {.base = &w.base};
		spec_text(&text, m, &read);
		assert_text(&text, spec_cases[i].text);
	}
	world_close(&w);
}

static const struct sig_case { const char *sig, *in, *out; } sig_cases[] = {
	{"[x,y] [y,-] -> [x,-]", "P('x', 'y')P('y', None)", "P('x', None)"},
	{"[] -> []", "P()", "P()"},
	{"->", "", ""},
	{" [x*y,-][,]->[ ]\n", "P(('x', 'y'), None)P(None, None)", "P()"},
	{"[-] -> [x] [y * x , ]", "P(None,)", "P('x',)P(('y', 'x'), None)"},
};

static void put_rooms(str *out, const mesh *m, const spec_room *room, int n)
{
	str_put(out, "");
	for (int i = 0; i < n; i++) {
		const spec read = {room[i].ndim, room[i].start, room[i].axis};
		spec_text(out, m, &read);
	}
}

static void test_sig_read(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:4 y:2", "");
	for (size_t i = 0; i < ARRAY_LEN(sig_cases); i++) {
		spec_room in[2], out[2];
		int nin = -1, nout = -1;
		assert_true(sig_read(&w.base, NULL, m, sig_cases[i].sig, in, &nin, out, &nout, 2));
		str text = {.base = &w.base};
		put_rooms(&text, m, in, nin);
		str_put(&text, "|");
		put_rooms(&text, m, out, nout);
		char want[128];
		snprintf(want, sizeof want, "%s|%s", sig_cases[i].in, sig_cases[i].out);
		assert_text(&text, want);
	}
	const char *at = " [x,y] -> [x]";
	spec_room room;
	assert_true(spec_read_text(&w.base, NULL, "s", m, &at, &room));
	assert_string_equal(at, " -> [x]");
	world_close(&w);
}

/* ---- every error text */

static const struct mesh_error { const char *axes, *ids, *text; } mesh_errors[] = {
	{"", "", "t.c:1: a mesh has 1 to 64 axes, but got 0"},
	{"x:4 x:2", "",
	 "Mesh('x': 4, 'x': 2): axes 0 and 1 are both named 'x'; rename one of them"},
	{"a b:2", "",
	 "Mesh('a b': 2): 'a b' cannot name an axis; use letters, digits, '_' and '.'"},
	{"x*y:2", "", "'x*y' cannot name an axis"},
	{"-:2", "", "'-' cannot name an axis"},
	{"x:4 y:0", "", "Mesh('x': 4, 'y': 0): axis 'y' has size 0; sizes start at 1"},
	{"x:-2 y:-4", "", "axis 'x' has size -2"},
	{"x:4294967296 y:4294967296", "",
	 "Mesh('x': 4294967296, 'y': 4294967296): the product of the sizes overflows; use smaller "
	 "sizes"},
	{"x:3 y:2", "0,1,2,3,4,5,6,7",
	 "Mesh('x': 3, 'y': 2): the number of devices, 8, must equal the product of the axis "
	 "sizes, 6; change the sizes or the list of devices"},
	{"x:3 y:3", "",
	 "Mesh('x': 3, 'y': 3): the product of the axis sizes is 9, but the context has 8 devices; "
	 "use smaller sizes or open it with more devices"},
	{"x:9", "0,1,2,3,4,5,6,7,8", "the product of the axis sizes is 9, but the context has 8"},
	{"x:2", "7,8",
	 "Mesh('x': 2): there is no device 8 (place 1 of the list); name devices of the context, "
	 "which has 8"},
	{"x:2", "-1,0", "there is no device -1 (place 0 of the list)"},
	{"x:4", "5,1,2,1",
	 "Mesh('x': 4): device 1 is listed twice, at places 1 and 3; list each device once"},
};

static void test_mesh_errors(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	for (size_t i = 0; i < ARRAY_LEN(mesh_errors); i++) {
		const struct mesh_error *c = &mesh_errors[i];
		assert_null(mesh_like(&w, c->axes, c->ids));
		assert_error(&w, TSR_ERROR_SHARDING, c->text);
	}
	tsr_axis many[65];
	for (size_t a = 0; a < ARRAY_LEN(many); a++)
		many[a] = (tsr_axis){"x", 1};
	assert_null(mesh_make(&w.all, NULL, many, 65, NULL, 0));
	assert_error(&w, TSR_ERROR_SHARDING, "a mesh has 1 to 64 axes, but got 65");
	const tsr_axis unnamed[] = {{"x", 1}, {NULL, 1}, {"", 1}};
	assert_null(mesh_make(&w.all, NULL, unnamed, 2, NULL, 0));
	assert_error(&w, TSR_ERROR_SHARDING,
	             "Mesh('x': 1, '': 1): axis 1 has no name; give each axis a name of its own");
	assert_null(mesh_make(&w.all, NULL, unnamed + 2, 1, NULL, 0));
	assert_error(&w, TSR_ERROR_SHARDING, "axis 0 has no name");
	assert_null(sharding_one(&w.all, "t.c:3", 8));
	assert_error(&w, TSR_ERROR_SHARDING,
	             "t.c:3: there is no device 8: the context has 8 devices; name one of them");
	world_close(&w);
}

static const struct spec_error { tsr_spec written; const char *text; } spec_errors[] = {
	{{3, {NULL, "i", "i"}},
	 "t.c:4: in_specs[0]: a spec can map every mesh axis to at most one dim, but P('i', 'i') "
	 "has duplicate entries for 'i'; keep one of them"},
	{{3, {NULL, NULL, "i*j*i"}},
	 "but P(None, ('i', 'j', 'i')) has duplicate entries for 'i'"},
	{{2, {NULL, "q"}},
	 "in_specs[0]: axis 'q' of P('q',) is not found in mesh Mesh('i': 4, 'j': 2); name one of "
	 "its axes, or \"-\" for not split"},
	{{3, {NULL, "i* q", NULL}}, "axis 'q' of P(('i', 'q'), None) is not found in mesh"},
	{{2, {NULL, "ii"}}, "axis 'ii' of P('ii',) is not found in mesh"},
	{{3, {NULL, NULL, "i*"}},
	 "in_specs[0]: entry 1, \"i*\", lacks a name; write \"x\", \"x*y\", or \"-\" for not "
	 "split"},
	{{2, {NULL, "i**j"}}, "entry 0, \"i**j\", lacks a name"},
	{{2, {NULL, "*i"}}, "entry 0, \"*i\", lacks a name"},
	{{2, {NULL, ""}}, "entry 0, \"\", lacks a name"},
	{{2, {NULL, "  "}}, "entry 0, \"\", lacks a name"},
	{{2, {NULL, "i,j"}}, "entry 0, \"i,j\", is malformed"},
	{{2, {NULL, "i j"}}, "entry 0, \"i j\", is malformed"},
	{{2, {NULL, "[i]"}}, "entry 0, \"[i]\", is malformed"},
	{{2, {NULL, "i*-"}}, "entry 0, \"i*-\", is malformed"},
	{{10, {NULL}}, "in_specs[0]: a spec has 0 to 8 entries, not 9; write TSR_P(...)"},
	{{-1, {NULL}}, "a spec has 0 to 8 entries, not -2"},
	{{INT64_MIN, {NULL}}, "a spec has 0 to 8 entries, not -9223372036854775808"},
};

static const struct { const char *sig, *text; } sig_errors[] = {
	{"[i,j] [q,-] -> [i,-]",
	 "t.c:5: in_specs[1]: axis 'q' of P('q', None) is not found in mesh Mesh('i': 4, 'j': 2) "
	 "at column 8 of \"[i,j] [q,-] -> [i,-]\"; name one of its axes, or \"-\" for not split"},
	{"[] -> [i,i]",
	 "out_specs[0]: a spec can map every mesh axis to at most one dim, but P('i', 'i') has "
	 "duplicate entries for 'i' at column 10 of \"[] -> [i,i]\"; keep one of them"},
	{"[i*,j] -> []",
	 "in_specs[0]: entry 0, \"i*\", lacks a name at column 4 of \"[i*,j] -> []\""},
	{"[i j] -> []", "in_specs[0]: entry 0, \"i j\", is malformed at column 3 of \"[i j]"},
	{"", "t.c:5: sig: expected '[' or \"->\" at column 1 of \"\""},
	{"[i", "in_specs[0]: expected ',' or ']' at column 3 of \"[i\""},
	{"[i -> [i]", "in_specs[0]: expected ',' or ']' at column 7 of \"[i -> [i]\""},
	{"[i]", "sig: expected '[' or \"->\" at column 4 of \"[i]\""},
	{"[i], [j] -> []", "sig: expected '[' or \"->\" at column 4 of"},
	{"[i] - > []", "sig: expected '[' or \"->\" at column 5 of"},
	{"[i] -> [] -> []", "sig: expected '[' or the end at column 11 of \"[i] -> [] -> []\""},
	{"[i] -> i", "sig: expected '[' or the end at column 8 of"},
	{"[][][] -> []",
	 "in_specs[2]: at most 2 specs fit on this side of \"[][][] -> []\" (column 5)"},
	{"[] -> [][][]", "out_specs[2]: at most 2 specs fit on this side of"},
	{NULL, "sig: is NULL; write one like \"[x,y] [y,-] -> [x,-]\""},
};

static void test_spec_errors(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "i:4 j:2", "");
	spec_room room[2], more[2];
	int nin, nout;
	for (size_t i = 0; i < ARRAY_LEN(spec_errors); i++) {
		assert_false(spec_read(&w.base, "t.c:4", "in_specs[0]", m, &spec_errors[i].written,
		                       room));
		assert_error(&w, TSR_ERROR_SHARDING, spec_errors[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(sig_errors); i++) {
		const char *sig = sig_errors[i].sig;
		assert_false(sig_read(&w.base, "t.c:5", m, sig, room, &nin, more, &nout, 2));
		assert_error(&w, sig ? TSR_ERROR_SHARDING : TSR_ERROR_ARGUMENT, sig_errors[i].text);
	}
	const char *at = "x,y]", *from = at;
	assert_false(spec_read_text(&w.base, NULL, "params.in", m, &at, room));
	assert_error(&w, TSR_ERROR_SHARDING, "params.in: expected '[' at column 1 of \"x,y]\"");
	assert_ptr_equal(at, from);
	world_close(&w);
}

static void test_at_most_64_entries(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "i:4", "");
	char text[80] = "[";
	memset(text + 1, ',', 63);
	strcpy(text + 64, "i]");
	spec_room room;
	const char *at = text;
	assert_true(spec_read_text(&w.base, NULL, "s", m, &at, &room));
	assert_int_equal(room.ndim, 64);
	assert_int_equal(sharding_parts(sharding_of_room(&w.all, m, &room), 63), 4);
	strcpy(text + 64, ",i]");
	at = text;
	assert_false(spec_read_text(&w.base, NULL, "s", m, &at, &room));
	assert_error(&w, TSR_ERROR_SHARDING,
	             "s: expected ']', as a spec has at most 64 entries, at column 66 of \"[,");
	world_close(&w);
}

static void test_fits(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "i:4", "");
	const sharding *s = sharding_like(&w, m, "[-,i]");
	assert_true(sharding_fits(&w.base, NULL, s, 2));
	assert_true(sharding_fits(&w.base, NULL, sharding_one(&w.all, NULL, 1), 0));
	assert_false(sharding_fits(&w.base, "t.c:6", s, 1));
	assert_error(&w, TSR_ERROR_SHARDING,
	             "t.c:6: Sharding NamedSharding(mesh=Mesh('i': 4), spec=P(None, 'i')) is only "
	             "valid for values of rank at least 2, but was applied to a value of rank 1; "
	             "use a spec of at most 1 entries");
	assert_false(sharding_fits(&w.base, NULL, s, 0));
	assert_error(&w, TSR_ERROR_SHARDING,
	             "rank at least 2, but was applied to a value of rank 0; for scalars the spec "
	             "should be P()");
	world_close(&w);
}

/* ---- laws, against an oracle that counts */

static uint64_t random_state;

static int64_t below(int64_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((random_state >> 33) % (uint64_t)n);
}

static void shuffle(int64_t *v, int64_t n)
{
	for (int64_t i = n - 1; i > 0; i--) {
		const int64_t j = below(i + 1), kept = v[i];
		v[i] = v[j];
		v[j] = kept;
	}
}

static const mesh *some_mesh(world *w)
{
	static const char *const names[] = {"a", "bb", "c", "d"};
	tsr_axis axis[4];
	const int64_t naxes = 1 + below(4);
	int64_t size = 1, ids[64];
	for (int64_t a = 0; a < naxes; a++) {
		axis[a] = (tsr_axis){names[a], 1 + below(4)};
		if (size * axis[a].size > 64)
			axis[a].size = 1;
		size *= axis[a].size;
	}
	for (int64_t k = 0; k < 64; k++)
		ids[k] = k;
	shuffle(ids, 64);
	const bool listed = below(2);
	return mesh_make(&w->all, NULL, axis, (size_t)naxes, listed ? ids : NULL,
	                 listed ? (size_t)size : 0);
}

/* Each axis in a random dim or in none, in a random order. */
static void some_spec(const mesh *m, int ndim, spec_room *out)
{
	int64_t order[8], dim[8];
	for (int a = 0; a < m->naxes; a++) {
		order[a] = a;
		dim[a] = below(4) > 0 ? below(ndim + 1) : ndim;
	}
	shuffle(order, m->naxes);
	*out = (spec_room){.ndim = ndim};
	for (int d = 0; d < ndim; d++) {
		out->start[d + 1] = out->start[d];
		for (int i = 0; i < m->naxes; i++) {
			if (dim[order[i]] == d)
				out->axis[out->start[d + 1]++] = (int)order[i];
		}
	}
}

/* The block number of dim d on device k by counting through the mesh. */
static int64_t slow_part(const mesh *m, const spec_room *room, int d, int64_t k)
{
	int64_t at[8] = {0}, part = 0;
	for (; k > 0; k--) {
		for (int a = m->naxes - 1; ++at[a] == m->axis[a].size; a--)
			at[a] = 0;
	}
	for (int i = room->start[d]; i < room->start[d + 1]; i++)
		part = part * m->axis[room->axis[i]].size + at[room->axis[i]];
	return part;
}

static bool slow_same_parts(const mesh *m, const spec_room *room, int64_t k, int64_t other)
{
	for (int d = 0; d < room->ndim; d++) {
		if (slow_part(m, room, d, k) != slow_part(m, room, d, other))
			return false;
	}
	return true;
}

static void check_box(const sharding *s, const spec_room *room, const int64_t *dims, int64_t k,
                      int8_t *covered)
{
	int64_t start[4], stop[4], block[4], strides[4] = {1, 1, 1, 1};
	sharding_box(s, dims, room->ndim, k, start, stop);
	sharding_block_dims(s, dims, room->ndim, block);
	bool empty = false;
	for (int d = room->ndim - 1; d >= 0; d--) {
		const int64_t part = slow_part(s->mesh, room, d, k), parts = sharding_parts(s, d);
		assert_int_equal(sharding_part(s, d, k), part);
		assert_int_equal(block[d], (dims[d] + parts - 1) / parts);
		assert_int_equal(start[d], part * block[d] < dims[d] ? part * block[d] : dims[d]);
		assert_int_equal(stop[d],
		                 start[d] + block[d] < dims[d] ? start[d] + block[d] : dims[d]);
		empty = empty || start[d] == stop[d];
		if (d > 0)
			strides[d - 1] = strides[d] * dims[d];
	}
	if (empty || sharding_replica(s, k) > 0)
		return;
	int64_t at[4];
	memcpy(at, start, sizeof at);
	for (int d = 0; d >= 0;) {
		int64_t place = 0;
		for (int e = 0; e < room->ndim; e++)
			place += at[e] * strides[e];
		covered[place]++;
		for (d = room->ndim - 1; d >= 0 && ++at[d] == stop[d]; d--)
			at[d] = start[d];
	}
}

static void check_replicas(const sharding *s, const spec_room *room)
{
	bool replicated = true;
	for (int64_t k = 0; k < s->mesh->size; k++) {
		int64_t before = 0, first = k;
		for (int64_t other = k - 1; other >= 0; other--) {
			if (slow_same_parts(s->mesh, room, k, other)) {
				before++;
				first = other;
			}
		}
		replicated = replicated && first == 0;
		assert_int_equal(sharding_replica(s, k), before);
		assert_int_equal(sharding_first(s, k), first);
	}
	assert_int_equal(sharding_is_replicated(s), replicated);
}

static void check_round_trip(world *w, const sharding *s, int ndim)
{
	str text = {.base = &w->base};
	spec_sig_text(&text, s->mesh, &s->spec, ndim);
	assert_ptr_equal(sharding_like(w, s->mesh, text.s), s);
	str_free(&text);
}

static void check_some_sharding(world *w)
{
	const mesh *m = some_mesh(w);
	assert_non_null(m);
	spec_room room;
	some_spec(m, (int)below(4), &room);
	const sharding *s = sharding_of_room(&w->all, m, &room);
	assert_non_null(s);
	int64_t dims[4], size = 1;
	bool divides = true;
	for (int d = 0; d < room.ndim; d++) {
		dims[d] = below(19);
		size *= dims[d];
		divides = divides && dims[d] % sharding_parts(s, d) == 0;
	}
	assert_int_equal(sharding_divides(s, dims, room.ndim), divides);
	int8_t *covered = calloc((size_t)size + 1, 1);
	assert_non_null(covered);
	for (int64_t k = 0; k < m->size; k++)
		check_box(s, &room, dims, k, covered);
	for (int64_t i = 0; i < size; i++)
		assert_int_equal(covered[i], 1);
	free(covered);
	check_replicas(s, &room);
	check_round_trip(w, s, room.ndim);
}

static void test_boxes_partition_the_array(void **state)
{
	(void)state;
	world w;
	world_open(&w, 64);
	random_state = 20;
	for (int i = 0; i < 2000; i++)
		check_some_sharding(&w);
	world_close(&w);
}

static void test_uneven_and_huge(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:8", "");
	const sharding *s = sharding_like(&w, m, "[x]");
	str text = {.base = &w.base};
	for (int64_t k = 0; k < 8; k++, str_put(&text, " "))
		put_box(&text, s, (const int64_t[]){9}, 1, k);
	assert_text(&text, "0:2 2:4 4:6 6:8 8:9 9:9 9:9 9:9 ");
	for (int64_t dim = INT64_MAX; dim > INT64_MAX - 20; dim--) {
		int64_t start, stop, block, end = 0;
		sharding_block_dims(s, &dim, 1, &block);
		for (int64_t k = 0; k < 8; k++) {
			sharding_box(s, &dim, 1, k, &start, &stop);
			assert_true(start == end && stop >= start && stop - start <= block);
			end = stop;
		}
		assert_true(end == dim);
	}
	world_close(&w);
}

/* ---- equivalence */

static bool slow_equivalent(const sharding *a, const sharding *b, int ndim)
{
	if (sharding_ndevices(a) != sharding_ndevices(b))
		return false;
	for (int64_t k = 0; k < sharding_ndevices(a); k++) {
		if (sharding_device(a, k) != sharding_device(b, k))
			return false;
		for (int d = 0; d < ndim; d++) {
			if (sharding_parts(a, d) != sharding_parts(b, d) ||
			    sharding_part(a, d, k) != sharding_part(b, d, k))
				return false;
		}
	}
	return true;
}

static void test_equivalence_cases(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "x:4 y:2", ""), *flat = mesh_like(&w, "i:8", "");
	const mesh *turned = mesh_like(&w, "x:4 y:2", "0,1,2,3,6,7,4,5");
	const mesh *padded = mesh_like(&w, "a:1 i:4 b:1 j:2", "");
	const mesh *third = mesh_like(&w, "x:1 y:1", "3");
	const sharding *s = sharding_like(&w, m, "[x,y]");
	assert_true(sharding_equivalent(s, sharding_like(&w, padded, "[a*i,j*b]"), 2));
	assert_false(sharding_equivalent(s, sharding_like(&w, turned, "[x,y]"), 2));
	assert_false(sharding_equivalent(s, sharding_like(&w, m, "[y,x]"), 2));
	s = sharding_like(&w, flat, "[i]");
	assert_true(sharding_equivalent(s, sharding_like(&w, m, "[x*y]"), 1));
	assert_false(sharding_equivalent(s, sharding_like(&w, m, "[y*x]"), 1));
	assert_true(sharding_equivalent(sharding_replicated_on(&w.all, m),
	                                sharding_replicated_on(&w.all, flat), 3));
	s = sharding_one(&w.all, NULL, 3);
	assert_true(sharding_equivalent(s, sharding_like(&w, third, "[x,y]"), 2));
	assert_true(sharding_equivalent(sharding_like(&w, third, "[y]"), s, 1));
	assert_false(sharding_equivalent(sharding_one(&w.all, NULL, 2),
	                                 sharding_like(&w, third, "[x]"), 1));
	assert_false(sharding_equivalent(s, sharding_one(&w.all, NULL, 2), 1));
	assert_false(sharding_equivalent(s, sharding_replicated_on(&w.all, m), 0));
	assert_true(sharding_is_replicated(s));
	assert_true(sharding_is_replicated(sharding_like(&w, third, "[x]")));
	assert_int_equal(sharding_replica(s, 0) + sharding_first(s, 0), 0);
	world_close(&w);
}

static void test_equivalence_is_exact(void **state)
{
	(void)state;
	static const char *const axes[] = {
		"a:12", "a:3 b:4", "a:4 b:3", "a:2 b:6", "a:6 b:2", "a:2 b:2 c:3", "a:2 b:3 c:2",
		"a:3 b:2 c:1 d:2",
	};
	world w;
	world_open(&w, 12);
	random_state = 5;
	int same = 0;
	const int pairs = 20000;
	for (int i = 0; i < pairs; i++) {
		const sharding *s[2];
		for (int side = 0; side < 2; side++) {
			const mesh *m = mesh_like(&w, axes[below((int64_t)ARRAY_LEN(axes))], "");
			spec_room room;
			some_spec(m, 2, &room);
			s[side] = sharding_of_room(&w.all, m, &room);
		}
		const bool equal = slow_equivalent(s[0], s[1], 2);
		assert_int_equal(sharding_equivalent(s[0], s[1], 2), equal);
		same += equal && s[0]->mesh != s[1]->mesh;
	}
	assert_in_range(same, pairs / 200, pairs / 2);
	world_close(&w);
}

/* ---- size: nothing is quadratic in the number of devices */

static void test_many_devices(void **state)
{
	(void)state;
	enum { N = 1 << 17 };
	world w;
	world_open(&w, N);
	int64_t *ids = malloc(N * sizeof *ids);
	assert_non_null(ids);
	for (int64_t k = 0; k < N; k++)
		ids[k] = N - 1 - k;
	const clock_t began = clock();
	const tsr_axis axes[] = {{"x", N / 64}, {"y", 16}, {"z", 4}};
	const mesh *m = mesh_make(&w.all, NULL, axes, 3, ids, N);
	assert_non_null(m);
	assert_ptr_equal(m, mesh_make(&w.all, NULL, axes, 3, ids, N));
	const sharding *s = sharding_like(&w, m, "[z*x,-,y]");
	const int64_t dims[] = {100000, 3, 33};
	int64_t held = 0;
	for (int64_t k = 0; k < N; k++) {
		int64_t start[3], stop[3];
		sharding_box(s, dims, 3, k, start, stop);
		held += (stop[0] - start[0]) * (stop[1] - start[1]) * (stop[2] - start[2]);
		assert_true(sharding_replica(s, k) == 0 && sharding_first(s, k) == k);
	}
	assert_int_equal(held, dims[0] * dims[1] * dims[2]);
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	free(ids);
	world_close(&w);
}

/* ---- allocations that fail */

/* Everything that allocates; true when all of it came out as it should. */
static bool do_everything(world *w)
{
	const mesh *m = mesh_like(w, "x:4 y:2", "0,1,2,3,6,7,4,5");
	spec_room in[2], out[2];
	int nin, nout;
	if (!m || !sig_read(&w->base, NULL, m, "[x,y] [] -> [y*x]", in, &nin, out, &nout, 2))
		return false;
	const sharding *s = sharding_of_room(&w->all, m, &out[0]);
	if (!s || !sharding_one(&w->all, NULL, 2) || !sharding_replicated_on(&w->all, m))
		return false;
	str text = {.base = &w->base};
	sharding_text(&text, s);
	const bool whole = !text.lost;
	str_free(&text);
	return whole;
}

static void make_errors(world *w)
{
	const tsr_spec wrong[] = {{2, {NULL, "q"}}, {3, {NULL, "x", "x"}}, {2, {NULL, "x**y"}}};
	const mesh *m = mesh_like(w, "x:4 y:2", "0,1,2,3,6,7,4,5");
	if (!m)
		return;
	spec_room room;
	int n;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_false(spec_read(&w->base, NULL, "s", m, &wrong[i], &room));
		assert_int_not_equal(error_code(&w->base), TSR_OK);
	}
	assert_false(sig_read(&w->base, NULL, m, "[q] -> ", &room, &n, &room, &n, 1));
	const sharding *s = sharding_replicated_on(&w->all, m);
	assert_true(!s || sharding_fits(&w->base, NULL, s, 0));
	assert_null(mesh_like(w, "x:2", "1,1"));
}

static void test_failing_allocations(void **state)
{
	(void)state;
	bool done = false;
	int64_t n = 1;
	for (; !done; n++) {
		world w;
		world_open(&w, 8);
		w.base.mem.fail_at = n;
		done = do_everything(&w);
		assert_int_equal(error_code(&w.base), done ? TSR_OK : TSR_ERROR_MEMORY);
		w.base.mem.fail_at = -1;
		error_clear(&w.base);
		assert_true(do_everything(&w));
		world_close(&w);
	}
	assert_true(n > 10);
	for (int64_t at = 1; at < 80; at++) {
		world w;
		world_open(&w, 8);
		w.base.mem.fail_at = at;
		make_errors(&w);
		assert_int_not_equal(error_code(&w.base), TSR_OK);
		w.base.mem.fail_at = -1;
		world_close(&w);
	}
}

static void test_failing_init(void **state)
{
	(void)state;
	base b;
	shards all;
	const device one = {0, 0, 0};
	assert_true(base_init(&b, NULL, NULL, 0));
	b.mem.fail_at = 1;
	assert_false(shards_init(&all, &b, NULL, &one, 1));
	assert_int_equal(error_code(&b), TSR_ERROR_MEMORY);
	shards_fini(&all);
	b.mem.fail_at = -1;
	error_clear(&b);
	base_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_jax_values),
		cmocka_unit_test(test_interning),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_spec_read),
		cmocka_unit_test(test_sig_read),
		cmocka_unit_test(test_mesh_errors),
		cmocka_unit_test(test_spec_errors),
		cmocka_unit_test(test_at_most_64_entries),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_boxes_partition_the_array),
		cmocka_unit_test(test_uneven_and_huge),
		cmocka_unit_test(test_equivalence_cases),
		cmocka_unit_test(test_equivalence_is_exact),
		cmocka_unit_test(test_many_devices),
		cmocka_unit_test(test_failing_allocations),
		cmocka_unit_test(test_failing_init),
	};
	return cmocka_run_group_tests_name("shard", tests, NULL, NULL);
}
