/* test_shard_laws.c - shardings against a slow oracle that counts: the part of each device,
 * equality of shardings, and that nothing is quadratic in the number of devices. */
#include "unit/shard_rig.h"
#include <time.h>

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
		if (size * axis[a].size > 64) axis[a].size = 1;
		size *= axis[a].size;
	}
	for (int64_t k = 0; k < 64; k++) ids[k] = k;
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
			if (dim[order[i]] == d) out->axis[out->start[d + 1]++] = (int)order[i];
		}
	}
}

/* The block number of dim d on device k by counting through the mesh. */
static int64_t slow_part(const mesh *m, const spec_room *room, int d, int64_t k)
{
	int64_t at[8] = {0}, part = 0;
	for (; k > 0; k--) {
		for (int a = m->naxes - 1; ++at[a] == m->axis[a].size; a--) at[a] = 0;
	}
	for (int i = room->start[d]; i < room->start[d + 1]; i++)
		part = part * m->axis[room->axis[i]].size + at[room->axis[i]];
	return part;
}

static bool slow_same_parts(const mesh *m, const spec_room *room, int64_t k, int64_t other)
{
	for (int d = 0; d < room->ndim; d++) {
		if (slow_part(m, room, d, k) != slow_part(m, room, d, other)) return false;
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
		if (d > 0) strides[d - 1] = strides[d] * dims[d];
	}
	if (empty || sharding_replica(s, k) > 0) return;
	int64_t at[4];
	memcpy(at, start, sizeof at);
	for (int d = 0; d >= 0;) {
		int64_t place = 0;
		for (int e = 0; e < room->ndim; e++) place += at[e] * strides[e];
		covered[place]++;
		for (d = room->ndim - 1; d >= 0 && ++at[d] == stop[d]; d--) at[d] = start[d];
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

/* [x,x*y,-] */
static void put_spec(str *out, const mesh *m, const spec *p, int ndim)
{
	str_put(out, "[");
	for (int d = 0; d < ndim; d++) {
		const int first = d < p->ndim ? p->start[d] : 0;
		const int end = d < p->ndim ? p->start[d + 1] : 0;
		str_put(out, d > 0 ? "," : "");
		str_put(out, first == end ? "-" : "");
		for (int i = first; i < end; i++)
			str_printf(out, "%s%s", i > first ? "*" : "", m->axis[p->axis[i]].name);
	}
	str_put(out, "]");
}

static void check_round_trip(world *w, const sharding *s, int ndim)
{
	str text = {.base = &w->base};
	put_spec(&text, s->mesh, &s->spec, ndim);
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
	for (int64_t k = 0; k < m->size; k++) check_box(s, &room, dims, k, covered);
	for (int64_t i = 0; i < size; i++) assert_int_equal(covered[i], 1);
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
	for (int i = 0; i < 2000; i++) check_some_sharding(&w);
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
	if (sharding_ndevices(a) != sharding_ndevices(b)) return false;
	for (int64_t k = 0; k < sharding_ndevices(a); k++) {
		if (sharding_device(a, k) != sharding_device(b, k)) return false;
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
		"a:12",    "a:3 b:4",     "a:4 b:3",     "a:2 b:6",
		"a:6 b:2", "a:2 b:2 c:3", "a:2 b:3 c:2", "a:3 b:2 c:1 d:2",
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
	for (int64_t k = 0; k < N; k++) ids[k] = N - 1 - k;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_partition_the_array),
		cmocka_unit_test(test_uneven_and_huge),
		cmocka_unit_test(test_equivalence_cases),
		cmocka_unit_test(test_equivalence_is_exact),
		cmocka_unit_test(test_many_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
