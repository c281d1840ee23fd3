/* test_shard.c - meshes, specs and shardings: values against JAX's, every error text, and failing
 * allocations. */
#include "unit/shard_rig.h"

/* ---- values that JAX 0.10 gives on 8 CPU devices */

static const struct jax_case {
	const char *axes, *ids, *sig, *spec, *dims;
	const char *boxes; /* start:stop of each dim, for each device */
	const char *replicas;
} jax_cases[] = {
	{"x:4 y:2", "", "[x,y]", "P('x', 'y')", "8,16",
         "0:2,0:8 0:2,8:16 2:4,0:8 2:4,8:16 4:6,0:8 4:6,8:16 6:8,0:8 6:8,8:16", "0 0 0 0 0 0 0 0"},
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
         "0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16 0:8,0:8 0:8,8:16", "0 0 1 1 2 2 3 3"},
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
         "0:2,0:8 2:4,0:8 4:6,0:8 6:8,0:8 0:2,8:16 2:4,8:16 4:6,8:16 6:8,8:16", "0 0 0 0 0 0 0 0"},
	{"x:2 y:4", "", "[x]", "P('x',)", "8,16",
         "0:4,0:16 0:4,0:16 0:4,0:16 0:4,0:16 4:8,0:16 4:8,0:16 4:8,0:16 4:8,0:16",
         "0 1 2 3 0 1 2 3"},
	{"x:2 y:4", "", "[y]", "P('y',)", "8,16",
         "0:2,0:16 2:4,0:16 4:6,0:16 6:8,0:16 0:2,0:16 2:4,0:16 4:6,0:16 6:8,0:16",
         "0 0 0 0 1 1 1 1"},
	{"x:2 y:4", "", "[-,x]", "P(None, 'x')", "8,16",
         "0:8,0:8 0:8,0:8 0:8,0:8 0:8,0:8 0:8,8:16 0:8,8:16 0:8,8:16 0:8,8:16", "0 1 2 3 0 1 2 3"},
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
         "0:2,0:2 0:2,2:4 2:4,0:2 2:4,2:4 4:6,0:2 4:6,2:4 6:8,0:2 6:8,2:4", "0 0 0 0 0 0 0 0"},
	{"i:8", "", "[i]", "P('i',)", "16", "0:2 2:4 4:6 6:8 8:10 10:12 12:14 14:16",
         "0 0 0 0 0 0 0 0"},
	{"i:8", "", "[]", "P()", "", "       ", "0 1 2 3 4 5 6 7"},
	{"i:4", "", "[i,-]", "P('i', None)", "8,2", "0:2,0:2 2:4,0:2 4:6,0:2 6:8,0:2", "0 0 0 0"},
};

static void check_jax_case(world *w, const struct jax_case *c)
{
	const mesh *m = mesh_like(w, c->axes, c->ids);
	assert_non_null(m);
	spec_room room;
	assert_true(spec_of_text(&w->base, m, c->sig, &room));
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
	for (size_t i = 0; i < ARRAY_LEN(jax_cases); i++) check_jax_case(&w, &jax_cases[i]);
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
	assert_true(m->list->ordered && !turned->list->ordered);
	assert_false(mesh_like(&w, "x:3", "1,0,2")->list->ordered);
	assert_true(m->list == renamed->list && m->list->set == turned->list->set);
	for (int64_t k = 0; k < 8; k++)
		assert_int_equal(device_list_place(turned->list, turned->device[k]), k);
	assert_int_equal(device_list_place(turned->list, 8), -1);
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
	world_close(&w);
}

/* ---- reading */

static const struct spec_case {
	tsr_spec written;
	const char *text;
} spec_cases[] = {
	{{.n1 = 0, .d = {NULL}}, "P()"},
	{{.n1 = 1, .d = {NULL}}, "P()"},
	{{.n1 = 2, .d = {NULL, "x"}}, "P('x',)"},
	{{.n1 = 2, .d = {NULL, "-"}}, "P(None,)"},
	{{.n1 = 3, .d = {NULL, " x\t", NULL}}, "P('x', None)"},
	{{.n1 = 3, .d = {NULL, NULL, " y * x "}}, "P(None, ('y', 'x'))"},
	{{.n1 = 4, .d = {NULL, "x*pipe_0.a", " - ", "y"}}, "P(('x', 'pipe_0.a'), None, 'y')"},
	{{.n1 = 9, .d = {NULL, "x", "y", NULL, NULL, NULL, NULL, NULL, NULL}},
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

static const struct sig_case {
	const char *sig, *in, *out;
} sig_cases[] = {
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
	world_close(&w);
}

/* ---- every error text */

static const struct mesh_error {
	const char *axes, *ids, *text;
} mesh_errors[] = {
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

/* that of a tsr_pmap while its body is traced */
static void test_mesh_without_devices(void **state)
{
	(void)state;
	world w;
	world_open(&w, 2);
	const tsr_axis x = {"x", 2}, large = {"x", INT64_MAX}, none = {"x", 0};
	const mesh *open = mesh_open(&w.all, NULL, &x);
	const mesh *first = mesh_make(&w.all, NULL, &x, 1, NULL, 0);
	assert_true(mesh_is_open(open));
	assert_false(mesh_is_open(first));
	assert_ptr_equal(open, mesh_open(&w.all, NULL, &x));
	assert_ptr_equal(first, mesh_make(&w.all, NULL, &x, 1, NULL, 0));
	assert_true(open->hash != first->hash);
	assert_false(mesh_same_devices(open, first));
	assert_false(mesh_same_devices(first, open));
	assert_non_null(mesh_open(&w.all, NULL, &large)); /* as many as there are comes later */
	assert_null(mesh_open(&w.all, NULL, &none));
	assert_error(&w, TSR_ERROR_SHARDING, "axis 'x' has size 0; sizes start at 1");
	world_close(&w);
}

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
	for (size_t a = 0; a < ARRAY_LEN(many); a++) many[a] = (tsr_axis){"x", 1};
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

static const struct spec_error {
	tsr_spec written;
	const char *text;
} spec_errors[] = {
	{{.n1 = 3, .d = {NULL, "i", "i"}},
         "t.c:4: .in[0]: a spec can map every mesh axis to at most one dim, but P('i', 'i') "
         "has duplicate entries for 'i'; keep one of them"},
	{{.n1 = 3, .d = {NULL, NULL, "i*j*i"}},
         "but P(None, ('i', 'j', 'i')) has duplicate entries for 'i'"},
	{{.n1 = 2, .d = {NULL, "q"}},
         ".in[0]: axis 'q' of P('q',) is not found in mesh Mesh('i': 4, 'j': 2); name one of "
         "its axes, or \"-\" for not split"},
	{{.n1 = 3, .d = {NULL, "i* q", NULL}},
         "axis 'q' of P(('i', 'q'), None) is not found in mesh"},
	{{.n1 = 2, .d = {NULL, "ii"}}, "axis 'ii' of P('ii',) is not found in mesh"},
	{{.n1 = 3, .d = {NULL, NULL, "i*"}},
         ".in[0]: entry 1, \"i*\", lacks a name; write \"x\", \"x*y\", or \"-\" for not "
         "split"},
	{{.n1 = 2, .d = {NULL, "i**j"}}, "entry 0, \"i**j\", lacks a name"},
	{{.n1 = 2, .d = {NULL, "*i"}}, "entry 0, \"*i\", lacks a name"},
	{{.n1 = 2, .d = {NULL, ""}}, "entry 0, \"\", lacks a name"},
	{{.n1 = 2, .d = {NULL, "  "}}, "entry 0, \"\", lacks a name"},
	{{.n1 = 2, .d = {NULL, "i,j"}}, "entry 0, \"i,j\", is malformed"},
	{{.n1 = 2, .d = {NULL, "i j"}}, "entry 0, \"i j\", is malformed"},
	{{.n1 = 2, .d = {NULL, "[i]"}}, "entry 0, \"[i]\", is malformed"},
	{{.n1 = 2, .d = {NULL, "i*-"}}, "entry 0, \"i*-\", is malformed"},
	{{.n1 = 10, .d = {NULL}}, ".in[0]: a spec has 0 to 8 entries, not 9; write TSR_P(...)"},
	{{.n1 = -1, .d = {NULL}}, "a spec has 0 to 8 entries, not -2"},
	{{.n1 = INT64_MIN, .d = {NULL}}, "a spec has 0 to 8 entries, not -9223372036854775808"},
};

static const struct {
	const char *sig, *text;
} sig_errors[] = {
	{"[i,j] [q,-] -> [i,-]",
         "t.c:5: .in[1]: axis 'q' of P('q', None) is not found in mesh Mesh('i': 4, 'j': 2) "
         "at column 8 of \"[i,j] [q,-] -> [i,-]\"; name one of its axes, or \"-\" for not split"},
	{"[] -> [i,i]",
         ".out[0]: a spec can map every mesh axis to at most one dim, but P('i', 'i') has "
         "duplicate entries for 'i' at column 10 of \"[] -> [i,i]\"; keep one of them"},
	{"[i*,j] -> []",
         ".in[0]: entry 0, \"i*\", lacks a name at column 4 of \"[i*,j] -> []\""},
	{"[i j] -> []", ".in[0]: entry 0, \"i j\", is malformed at column 3 of \"[i j]"},
	{"", "t.c:5: sig: expected '[' or \"->\" at column 1 of \"\""},
	{"[i", ".in[0]: expected ',' or ']' at column 3 of \"[i\""},
	{"[i -> [i]", ".in[0]: expected ',' or ']' at column 7 of \"[i -> [i]\""},
	{"[i]", "sig: expected '[' or \"->\" at column 4 of \"[i]\""},
	{"[i], [j] -> []", "sig: expected '[' or \"->\" at column 4 of"},
	{"[i] - > []", "sig: expected '[' or \"->\" at column 5 of"},
	{"[i] -> [] -> []", "sig: expected '[' or the end at column 11 of \"[i] -> [] -> []\""},
	{"[i] -> i", "sig: expected '[' or the end at column 8 of"},
	{"i,j] -> []", "sig: expected '[' or \"->\" at column 1 of \"i,j] -> []\""},
	{"[][][] -> []",
         ".in[2]: at most 2 specs fit on this side of \"[][][] -> []\" (column 5)"},
	{"[] -> [][][]", ".out[2]: at most 2 specs fit on this side of"},
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
		assert_false(spec_read(&w.base, "t.c:4", ".in[0]", m, &spec_errors[i].written,
		                       room));
		assert_error(&w, TSR_ERROR_SHARDING, spec_errors[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(sig_errors); i++) {
		const char *sig = sig_errors[i].sig;
		assert_false(sig_read(&w.base, "t.c:5", m, sig, room, &nin, more, &nout, 2));
		assert_error(&w, sig ? TSR_ERROR_SHARDING : TSR_ERROR_ARGUMENT, sig_errors[i].text);
	}
	world_close(&w);
}

static void test_at_most_64_entries(void **state)
{
	(void)state;
	world w;
	world_open(&w, 8);
	const mesh *m = mesh_like(&w, "i:4", "");
	char text[300] = "[";
	memset(text + 1, ',', MAX_NDIM - 1);
	strcpy(text + MAX_NDIM, "i]");
	const sharding *s = sharding_like(&w, m, text);
	assert_int_equal(s->spec.ndim, MAX_NDIM);
	assert_int_equal(sharding_parts(s, MAX_NDIM - 1), 4);
	strcpy(text + MAX_NDIM, ",i]");
	assert_null(sharding_of_text(&w.all, m, text));
	assert_error(&w, TSR_ERROR_SHARDING,
	             ".in[0]: expected ']', as a spec has at most 255 entries, at column 257 of "
	             "\"[,");
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
	const tsr_spec wrong[] = {{.n1 = 2, .d = {NULL, "q"}},
	                          {.n1 = 3, .d = {NULL, "x", "x"}},
	                          {.n1 = 2, .d = {NULL, "x**y"}}};
	const mesh *m = mesh_like(w, "x:4 y:2", "0,1,2,3,6,7,4,5");
	if (!m) return;
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
		cmocka_unit_test(test_mesh_without_devices),
		cmocka_unit_test(test_spec_errors),
		cmocka_unit_test(test_at_most_64_entries),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_failing_allocations),
		cmocka_unit_test(test_failing_init),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
