/* exchanges.c - collectives, on 1, 2, 4 and 8 devices and on any even division of these into
 * memories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

/* Bodies for an axis x of @1 devices. @1, @2, ... are that many times the devices; @p sends each
 * device's block to the next one, and the last one's to the first one */
static const struct exchange_case {
	const char *what, *text;
} cases[] = {
	{"psum", "f(%0: T[6,5]{x}) -> T[6,5] {\n"
                 "  %1: T[6,5] = psum %0 axes=(x) to=invarying\n  return %1\n}\n"},
	{"psum to varying", "f(%0: T[6]{x}) -> T[6]{x} {\n"
                            "  %1: T[6]{x} = psum %0 axes=(x) to=varying\n  return %1\n}\n"},
	{"pmax", "f(%0: T[6,5]{x}) -> T[6,5] {\n"
                 "  %1: T[6,5] = pmax %0 axes=(x) to=invarying\n  return %1\n}\n"},
	{"pmin", "f(%0: T[6,5]{x}) -> T[6,5] {\n"
                 "  %1: T[6,5] = pmin %0 axes=(x) to=invarying\n  return %1\n}\n"},
	{"all_gather", "f(%0: T[3,4]{x}) -> T[3,@4], T[@1,3,4]{x} {\n"
                       "  %1: T[3,@4] = all_gather %0 axes=(x) dim=1 tiled=true to=invarying\n"
                       "  %2: T[@1,3,4]{x} = all_gather %0 axes=(x) dim=0 to=varying\n"
                       "  return %1 %2\n}\n"},
	{"psum_scatter", "f(%0: T[3,@2]{x}) -> T[3,2]{x} {\n"
                         "  %1: T[3,2]{x} = psum_scatter %0 axes=(x) dim=1 tiled=true\n"
                         "  return %1\n}\n"},
	{"all_to_all", "f(%0: T[@2,3]{x}) -> T[2,@3]{x} {\n"
                       "  %1: T[2,@3]{x} = all_to_all %0 axes=(x) split=0 concat=1 tiled=true\n"
                       "  return %1\n}\n"},
	{"ppermute", "f(%0: T[7]{x}) -> T[7]{x} {\n"
                     "  %1: T[7]{x} = ppermute %0 axes=(x) perm=[@p]\n  return %1\n}\n"},
	{"ppermute of some", "f(%0: T[7]{x}) -> T[7]{x} {\n"
                             "  %1: T[7]{x} = ppermute %0 axes=(x) perm=[0>0]\n"
                             "  return %1\n}\n"},
	{"pbroadcast", "f(%0: T[7]{x}) -> T[7] {\n"
                       "  %1: T[7] = pbroadcast %0 axes=(x) source=0 to=invarying\n"
                       "  return %1\n}\n"},
	{"assume_equal", "f(%0: T[7]{x}) -> T[7] {\n"
                         "  %1: T[7] = assume_equal %0 axes=(x)\n  return %1\n}\n"},
	{"ragged_all_to_all",
         "f(%0: T[5,2]{x}, %1: T[6,2]{x}, %2: i32[@1]{x}, %3: i32[@1]{x}, %4: i32[@1]{x}, "
         "%5: i32[@1]{x}) -> T[6,2]{x} {\n"
         "  %6: T[6,2]{x} = ragged_all_to_all %0 %1 %2 %3 %4 %5 axes=(x)\n  return %6\n}\n"},
	{"psort", "f(%0: T[3,4]{x}, %1: i32[3,4]{x}) -> T[3,4]{x}, i32[3,4]{x} {\n"
                  "  %2: T[3,4]{x}, %3: i32[3,4]{x} = psort %0 %1 axes=(x) dim=1 num_keys=1 "
                  "size=@4\n  return %2 %3\n}\n"},
	{"exchange", "f(%0: T[3,@4]{x}) -> T[@3,4]{x}, T[@3,@4] {\n"
                     "  %1: T[@3,4]{x} = exchange %0 axes=(x) mesh=[@1] dims=[@3,@4] from=[0>0] "
                     "to=[0>1]\n"
                     "  %2: T[@3,@4] = exchange %1 axes=(x) mesh=[@1] dims=[@3,@4] from=[0>1] "
                     "to=[]\n"
                     "  return %1 %2\n}\n"},
	{"axis_index and pcast", "f(%0: T[7]) -> T[7]{x}, i32[]{x} {\n"
                                 "  %1: T[7]{x} = pcast %0 axes=(x)\n"
                                 "  %2: i32[]{x} = axis_index axes=(x)\n  return %1 %2\n}\n"},
	/* one behind the other, and several under way: each needs what another device sent */
	{"a ring of exchanges", "f(%0: T[4]{x}, %1: T[4]) -> T[4]{x}, T[4] {\n"
                                "  %2: T[4]{x} = ppermute %0 axes=(x) perm=[@p]\n"
                                "  %3: T[4] = psum %0 axes=(x) to=invarying\n"
                                "  %4: T[4] = max %3 %1\n"
                                "  %5: T[4]{x} = ppermute %2 axes=(x) perm=[@p]\n"
                                "  %6: T[4]{x} = max %5 %2\n"
                                "  %7: T[4]{x} = pcast %4 axes=(x)\n"
                                "  %8: T[4]{x} = max %6 %7\n"
                                "  %9: T[4] = pmax %8 axes=(x) to=invarying\n"
                                "  return %8 %9\n}\n"},
	{"exchanges in a loop",
         "f(%0: T[4]{x}) -> T[4]{x} {\n"
         "  %1: T[4]{x} = scan %0 length=5 consts=0 carry=1 unroll=1 body=(%0: T[4]{x}) -> "
         "T[4]{x} {\n"
         "    %1: T[4]{x} = ppermute %0 axes=(x) perm=[@p]\n"
         "    %2: T[4] = pmax %0 axes=(x) to=invarying\n"
         "    %3: T[4]{x} = pcast %2 axes=(x)\n"
         "    %4: T[4]{x} = min %1 %3\n"
         "    return %4\n  }\n"
         "  return %1\n}\n"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* on a mesh of 2 x 4: each axis, both in both orders, groups */
static const struct exchange_case grid[] = {
	{"psum over x of a grid", "f(%0: f32[6]{x,y}) -> f32[6]{y} {\n"
                                  "  %1: f32[6]{y} = psum %0 axes=(x) to=invarying\n"
                                  "  return %1\n}\n"},
	{"psum over y of a grid", "f(%0: f32[6]{x,y}) -> f32[6]{x} {\n"
                                  "  %1: f32[6]{x} = psum %0 axes=(y) to=invarying\n"
                                  "  return %1\n}\n"},
	{"psum over a grid", "f(%0: f32[6]{x,y}) -> f32[6], f32[6] {\n"
                             "  %1: f32[6] = psum %0 axes=(x,y) to=invarying\n"
                             "  %2: f32[6] = psum %0 axes=(y,x) to=invarying\n"
                             "  return %1 %2\n}\n"},
	{"all_gather over a grid, y first",
         "f(%0: f32[2]{x,y}) -> f32[16] {\n"
         "  %1: f32[16] = all_gather %0 axes=(y,x) dim=0 tiled=true to=invarying\n"
         "  return %1\n}\n"},
	{"groups", "f(%0: f32[6]{x,y}) -> f32[6]{x,y} {\n"
                   "  %1: f32[6]{x,y} = psum %0 axes=(y) groups=[[3,0],[1,2]] to=varying\n"
                   "  return %1\n}\n"},
	{"axis_index on a grid", "f() -> i32[]{x}, i32[]{y}, i32[]{x,y} {\n"
                                 "  %0: i32[]{x} = axis_index axes=(x)\n"
                                 "  %1: i32[]{y} = axis_index axes=(y)\n"
                                 "  %2: i32[]{x,y} = axis_index axes=(y,x)\n"
                                 "  return %0 %1 %2\n}\n"},
	{"axis_index in groups", "f() -> i32[]{y} {\n"
                                 "  %0: i32[]{y} = axis_index axes=(y) groups=[[3,0],[1,2]]\n"
                                 "  return %0\n}\n"},
	{"ppermute over a grid", "f(%0: f32[6]{x,y}) -> f32[6]{x,y} {\n"
                                 "  %1: f32[6]{x,y} = ppermute %0 axes=(x,y) "
                                 "perm=[0>7,7>3,3>0,5>5]\n"
                                 "  return %1\n}\n"},
};

static void put_ring(char *text, int devices)
{
	for (int k = 0; k < devices; k++)
		sprintf(text + strlen(text), "%s%d>%d", k ? "," : "", k, (k + 1) % devices);
}

static void make_text(char *text, const char *from, int devices, const char *dtype)
{
	sprintf(text, "axes (x of (x:%d)) ", devices);
	for (; *from; from++) {
		if (from[0] == '@' && from[1] == 'p')
			put_ring(text, devices), from++;
		else if (from[0] == '@')
			sprintf(text + strlen(text), "%d", (*++from - '0') * devices);
		else if (from[0] == 'T')
			strcat(text, dtype);
		else
			strncat(text, from, 1);
	}
}

const char *exchange_text(int k, int devices, const char *dtype, char text[LONGEST_TEXT])
{
	if (k >= CASES) return NULL;
	make_text(text, cases[k].text, devices, dtype);
	return cases[k].what;
}

static void check_cases(trial *t, int devices, int memories, const char *dtype)
{
	char text[LONGEST_TEXT], what[128];
	const char *name;

	for (int k = 0; (name = exchange_text(k, devices, dtype, text)); k++) {
		snprintf(what, sizeof what, "%s of %s on %d devices in %d memories", name, dtype,
		         devices, memories);
		check_program(t, what, text, devices, memories, 2, 0);
	}
}

void conform_exchanges(trial *t)
{
	static const char *const dtypes[] = {"f32", "bf16", "i32", "f64"};
	char text[LONGEST_TEXT], what[128];

	for (int devices = 1; devices <= 8; devices *= 2)
		for (int memories = 1; memories <= devices; memories *= 2)
			for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
				check_cases(t, devices, memories, dtypes[i]);
	for (int memories = 1; memories <= 8; memories *= 2)
		for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) {
			snprintf(what, sizeof what, "%s in %d memories", grid[i].what, memories);
			snprintf(text, sizeof text, "axes (x, y of (x:2,y:4)) %s", grid[i].text);
			check_program(t, what, text, 8, memories, 2, 0);
		}
}
