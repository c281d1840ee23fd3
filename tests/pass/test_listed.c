/* test_listed.c - listed plans of sums over few processes (pass/crossing/listed.c) give each
 * process its part, and each takes least for some size; a plan that is wrong is seen. */
#include "schedule_rig.h"
#include <math.h>

/* each message has what the same one has if it is followed by the book */
static void are_right(void **state)
{
	planned v[MOST_PLANNED];

	(void)state;
	for (const listed_plan *p = listed_plans; p->n; p++) {
		const int n = p->n, count = list_planned(p->messages, n, v);
		int64_t wants[MOST_LISTED], has[MOST_LISTED] = {0};
		assert_true(follow_plan(p->messages, n, wants));
		assert_true(count >= n - 1);
		for (int k = 0; k < count; k++) has[v[k].to] += planned_size(&v[k], n);
		for (int k = 0; k < n; k++) assert_int_equal(has[k], wants[k]);
	}
}

/* by the plan, parts of so many elements, over blocks of so many processes, take at least 1 in 100
 * less than by rules, and the program takes what the plan says */
static bool takes_less(base *b, const listed_plan *p, int block, int64_t part)
{
	const int n = p->n * block;
	const double bytes = 4 * (double)(n * part);
	double ns;

	if (choose_scatter(b, LEVEL_NETWORK, n, bytes) != SCATTERS_AS_LISTED ||
	    choose_listed(LEVEL_NETWORK, n, bytes, &ns) != p->messages ||
	    1.01 * ns > halving_way_of(b, LEVEL_NETWORK, n, bytes).ns)
		return false;
	const double has = walk_parts(n, part);
	if (fabs(has - ns) > 1)
		fail_msg("%d processes, parts of %lld: %.0f ns, and the plan says %.0f", n,
		         (long long)part, has, ns);
	return true;
}

static void take_less(void **state)
{
	int count = 0;
	base b;

	(void)state;
	assert_true(base_init(&b, NULL, NULL, 0));
	for (const listed_plan *p = listed_plans; p->n; p++) {
		bool less = false, in_blocks = false;
		for (int64_t part = 20; part <= 40000 && !(less && in_blocks); part += part / 8) {
			less = less || takes_less(&b, p, 1, part);
			in_blocks = in_blocks || takes_less(&b, p, 4, part);
		}
		if (!less)
			fail_msg("plan %d, of %d processes, takes no less",
			         (int)(p - listed_plans), p->n);
		count += in_blocks;
	}
	assert_true(count >= 6);
	base_fini(&b);
}

static void ends_once(const program *p)
{
	int begun[128] = {0}, ended[128] = {0};

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const transfer_params *t = e->params;
		if (e->prim == &tsr__prim_transfer_begin) begun[t->number]++;
		if (e->prim == &tsr__prim_transfer_end) ended[t->number]++;
	}
	for (int i = 0; i < 128; i++) {
		assert_true(begun[i] <= 1);
		assert_int_equal(ended[i], begun[i]);
	}
}

/* Each of nine processes has the same number in two groups, so messages of both come at once: they
 * are ended for the first one that needs them, and no more for the other one */
static void two_groups(void **state)
{
	enum { N = 9, PART = 4096 };
	const place at = {.n = N, .e = 2, .level = LEVEL_NETWORK};
	char list[2][128], text[1024];
	int used[2] = {0};
	crowd c;

	(void)state;
	for (int k = 0; k < N; k++) {
		const int member[] = {2 * k, 2 * k + 1};
		for (int g = 0; g < 2; g++)
			used[g] += sprintf(list[g] + used[g], "%s%d", k ? "," : "", member[g]);
	}
	sprintf(text,
	        "axes (x of (x:%d)) f(%%0: f32[%d]{x}) -> f32[%d]{x} {\n"
	        "  %%1: f32[%d]{x} = psum_scatter %%0 axes=(x) groups=[[%s],[%s]] dim=0 "
	        "tiled=true\n"
	        "  return %%1\n}\n",
	        2 * N, N * PART, PART, PART, list[0], list[1]);
	crowd_at(&c, &at);
	program *p = program_parse(&c.ir, "two", text, strlen(text));
	if (!p) fail_msg("%s", error_text(&c.base));
	for (int64_t k = 0; k < N; k++) {
		replicated to;
		assert_true(pass_replicate(p, (device_set){2, c.ids + 2 * k}, c.devices, &to));
		assert_true(to.program->neqns > 2 * N);
		ends_once(to.program);
		replicated_free(&to);
	}
	program_release(p);
	crowd_done(&c);
}

/* of three processes that send all at once, with something wrong */
static void wrong_ones(void **state)
{
	static const char right[] = "0>1:1 1>2:2 2>0:0 0>2:2 1>0:0 2>1:1";
	static const char *const wrong[] = {
		"",
		"0>1:1 1>2:2 2>0:0 0>2:2 1>0:0",         /* 2 keeps what it has for 1 */
		"0>1:1 1>2:2 2>0:0 0>2:2 1>0:0 2>1:0",   /* it has nothing for 0 any more */
		"0>1:1 1>2:2 2>0:0 0>2:2 1>0:0 2+1>0:1", /* 1 does not get its part */
		"0>1:1 1>2:2 2>0:0 0+3>2:2 1>0:0 2>1:1", /* 0 never receives three */
		"0>1:1 1>2:2 2>0:0 0+1>2:2 1>0:0 0>1:1", /* 0 has nothing for 1 any more */
		"0>1:1 2+1>1:1 1>2:2 2>0:0 0>2:2 1>0:0", /* 2 waits for what comes later */
		"1>0:0 2>0:0 0+2>1:1 0+1>2:2 1>2:2 2>1:1", /* 0 has received two before */
		"0>1:1 1>2:2 2>0:0 0>2:2 1>0:0 2>1:1 0>0:0", /* to itself */
	};
	planned v[MOST_PLANNED];
	int64_t received[MOST_LISTED];

	(void)state;
	assert_int_equal(list_planned(right, 3, v), 6);
	assert_true(follow_plan(right, 3, received));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(list_planned(wrong[i], 3, v), 0);
		assert_false(follow_plan(wrong[i], 3, received));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(are_right),
		cmocka_unit_test(take_less),
		cmocka_unit_test(two_groups),
		cmocka_unit_test(wrong_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
