/* control.c - control flow: branches, loops, programs inside programs, and devices that go
 * different ways. */
#include <stdio.h>
#include "conform.h"

/* on two devices along x */
static const struct control_case {
	const char *what, *text;
} cases[] = {
	{"cond", "f(%0: i32[], %1: f32[3]) -> f32[3] {\n"
                 "  %2: f32[3] = cond %0 %1 branches=[(%0: f32[3]) -> f32[3] {\n"
                 "    %1: f32[3] = sin %0\n    return %1\n"
                 "  }, (%0: f32[3]) -> f32[3] {\n    return %0\n"
                 "  }, (%0: f32[3]) -> f32[3] {\n"
                 "    %1: f32[3] = mul %0 2.0:f32\n    return %1\n  }]\n"
                 "  return %2\n}\n"},
	{"cond where devices go different ways",
         "f(%0: i32[]{x}, %1: f32[3]{x}) -> f32[3]{x} {\n"
         "  %2: f32[3]{x} = cond %0 %1 branches=[(%0: f32[3]{x}) -> f32[3]{x} {\n"
         "    %1: f32[3]{x} = sin %0\n    return %1\n"
         "  }, (%0: f32[3]{x}) -> f32[3]{x} {\n"
         "    %1: f32[3]{x} = mul %0 2.0:f32\n    return %1\n  }]\n"
         "  return %2\n}\n"},
	{"cond of a bool", "f(%0: bool[], %1: f32[3]) -> f32[3] {\n"
                           "  %2: f32[3] = cond %0 %1 branches=[(%0: f32[3]) -> f32[3] {\n"
                           "    return %0\n"
                           "  }, (%0: f32[3]) -> f32[3] {\n"
                           "    %1: f32[3] = neg %0\n    return %1\n  }]\n"
                           "  return %2\n}\n"},
	{"while", "f(%0: f32[4], %1: i32[]) -> f32[4], i32[] {\n"
                  "  %2: f32[4], %3: i32[] = while %0 %1 cond_consts=0 body_consts=0 "
                  "cond=(%0: f32[4], %1: i32[]) -> bool[] {\n"
                  "    %2: bool[] = lt %1 9:i32\n    return %2\n"
                  "  } body=(%0: f32[4], %1: i32[]) -> f32[4], i32[] {\n"
                  "    %2: i32[] = max %1 -2:i32\n"
                  "    %3: i32[] = add %2 1:i32\n"
                  "    %4: f32[4] = sin %0\n    return %4 %3\n  }\n"
                  "  return %2 %3\n}\n"},
	{"while that turns as often as each device says",
         "f(%0: i32[]{x}) -> i32[]{x} {\n"
         "  %1: i32[]{x} = max %0 -5:i32\n"
         "  %2: i32[]{x} = while %1 cond_consts=0 body_consts=0 "
         "cond=(%0: i32[]{x}) -> bool[]{x} {\n"
         "    %1: bool[]{x} = lt %0 40:i32\n    return %1\n"
         "  } body=(%0: i32[]{x}) -> i32[]{x} {\n"
         "    %1: i32[]{x} = add %0 7:i32\n    return %1\n  }\n"
         "  return %2\n}\n"},
	{"while that never turns", "f(%0: f32[4]) -> f32[4] {\n"
                                   "  %1: f32[4] = while %0 cond_consts=0 body_consts=0 "
                                   "cond=(%0: f32[4]) -> bool[] {\n"
                                   "    return false:bool\n"
                                   "  } body=(%0: f32[4]) -> f32[4] {\n"
                                   "    %1: f32[4] = sin %0\n    return %1\n  }\n"
                                   "  return %1\n}\n"},
	{"scan", "f(%0: f32[3], %1: f32[3], %2: f32[6,3]) -> f32[3], f32[6,3] {\n"
                 "  %3: f32[3], %4: f32[6,3] = scan %0 %1 %2 length=6 consts=1 carry=1 unroll=1 "
                 "body=(%0: f32[3], %1: f32[3], %2: f32[3]) -> f32[3], f32[3] {\n"
                 "    %3: f32[3] = mul %0 %1\n"
                 "    %4: f32[3] = add %3 %2\n"
                 "    %5: f32[3] = sin %4\n    return %5 %3\n  }\n"
                 "  return %3 %4\n}\n"},
	{"scan from the end", "f(%0: f32[3], %1: f32[6,3]) -> f32[3], f32[6,3] {\n"
                              "  %2: f32[3], %3: f32[6,3] = scan %0 %1 length=6 consts=0 carry=1 "
                              "unroll=1 reverse=true body=(%0: f32[3], %1: f32[3]) -> f32[3], "
                              "f32[3] {\n"
                              "    %2: f32[3] = add %0 %1\n    return %2 %0\n  }\n"
                              "  return %2 %3\n}\n"},
	{"scan of no step", "f(%0: f32[3], %1: f32[0,3]) -> f32[3], f32[0,3] {\n"
                            "  %2: f32[3], %3: f32[0,3] = scan %0 %1 length=0 consts=0 carry=1 "
                            "unroll=1 body=(%0: f32[3], %1: f32[3]) -> f32[3], f32[3] {\n"
                            "    %2: f32[3] = add %0 %1\n    return %2 %0\n  }\n"
                            "  return %2 %3\n}\n"},
	{"loops in loops, and a branch",
         "f(%0: i32[], %1: i32[4]) -> i32[4] {\n"
         "  %2: i32[4] = scan %0 %1 length=3 consts=1 carry=1 unroll=1 "
         "body=(%0: i32[], %1: i32[4]) -> i32[4] {\n"
         "    %2: i32[4] = scan %1 length=4 consts=0 carry=1 unroll=1 "
         "body=(%0: i32[4]) -> i32[4] {\n"
         "      %1: i32[4] = add %0 1:i32\n      return %1\n    }\n"
         "    %3: i32[4] = cond %0 %2 branches=[(%0: i32[4]) -> i32[4] {\n"
         "      %1: i32[4] = mul %0 3:i32\n      return %1\n"
         "    }, (%0: i32[4]) -> i32[4] {\n"
         "      %1: i32[4] = neg %0\n      return %1\n    }]\n"
         "    return %3\n  }\n"
         "  return %2\n}\n"},
	{"results that are operands and literals", "f(%0: f32[3]) -> f32[3], f32[], f32[3] {\n"
                                                   "  return %0 2.5:f32 %0\n}\n"},
	{"values of no elements", "f(%0: f32[0,3], %1: f32[3]) -> f32[0,3], f32[3] {\n"
                                  "  %2: f32[0,3] = sin %0\n"
                                  "  %3: f32[3] = reduce_sum %2 dims=[0]\n"
                                  "  return %2 %3\n}\n"},
};

void conform_control(trial *t)
{
	char text[4096];

	for (int memories = 1; memories <= 2; memories++)
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			snprintf(text, sizeof text, "axes (x of (x:2)) %s", cases[i].text);
			check_program(t, cases[i].what, text, 2, memories, 6, 0);
		}
}
