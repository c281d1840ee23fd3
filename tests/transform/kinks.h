/* kinks.h - jvp at kinks, poles and ties, for test_rules.c. */
#ifndef TSR_TESTS_TRANSFORM_KINKS_H
#define TSR_TESTS_TRANSFORM_KINKS_H
#include "support/windows.h"

#define AT_ROWS SCATTER_DIMS("", "0", "0", "", "")

/* The numbers that JAX 0.10.2 gives in 64 bits. numbers: all operands,
 * their tangents ("still": it does not move), then those of the result. clamp is as jnp.clip */
static const struct kink {
	const char *operands, *equation, *result, *numbers;
} kinks[] = {
	{"T[5]; T[5]", "max %0 %1", "T[5]",
         "1 0 -0 inf -inf 1 -0 0 inf -inf; 1 1 1 1 1 3 3 3 3 3; 2 2 2 2 2"},
	{"T[3]; T[3]", "max %0 %1", "T[3]", "nan 1 nan 1 nan nan; 1 1 1 3 3 3; 0 0 0"},
	{"T[5]; T[5]", "min %0 %1", "T[5]",
         "1 0 -0 inf -inf 1 -0 0 inf -inf; 1 1 1 1 1 3 3 3 3 3; 2 2 2 2 2"},
	{"T[3]; T[3]", "min %0 %1", "T[3]", "nan 1 nan 1 nan nan; 1 1 1 3 3 3; 0 0 0"},
	{"T[5]", "abs %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 1 1 1 1 -1"},
	{"T[5]", "sign %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "floor %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "ceil %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[5]", "round %0", "T[5]", "0 -0 0.5 1 nan; 1 1 1 1 1; 0 0 0 0 0"},
	{"T[4]", "log %0", "T[4]", "0 -1 inf 1; 1 1 1 1; inf -1 0 1"},
	{"T[4]", "sqrt %0", "T[4]", "0 -1 inf 1; 1 1 1 1; inf nan 0 0.5"},
	{"T[4]", "rsqrt %0", "T[4]", "0 -1 inf 1; 1 1 1 1; -inf nan -0 -0.5"},
	{"T[3]", "log1p %0", "T[3]", "-1 0 inf; 1 1 1; inf 1 0"},
	{"T[3]", "tanh %0", "T[3]", "0 inf -inf; 1 1 1; 1 0 0"},
	{"T[3]", "logistic %0", "T[3]", "0 inf -inf; 1 1 1; 0.25 0 0"},
	{"T[3]", "expm1 %0", "T[3]", "0 inf -inf; 1 1 1; 1 inf 0"},
	{"T[3]", "exp %0", "T[3]", "0 inf -inf; 1 1 1; 1 inf 0"},
	{"T[4]", "tanh %0", "T[4]", "20 -20 400 -400; 1 1 1 1; 0 0 0 0"},
	{"T[4]", "logistic %0", "T[4]", "400 -400 1000 -1000; 1 1 1 1; 0 1.9151696e-174 0 0"},
	{"T[3]", "integer_pow %0 y=0", "T[3]", "0 -2 1; 1 1 1; 0 0 0"},
	{"T[3]", "integer_pow %0 y=1", "T[3]", "0 -2 1; 1 1 1; 1 1 1"},
	{"T[3]", "integer_pow %0 y=2", "T[3]", "0 -2 1; 1 1 1; 0 -4 2"},
	{"T[3]", "integer_pow %0 y=-1", "T[3]", "0 -2 1; 1 1 1; -inf -0.25 -1"},
	{"T[3]", "integer_pow %0 y=3", "T[3]", "0 -2 1; 1 1 1; 0 12 3"},
	{"T[10]; T[10]", "pow %0 %1", "T[10]",
         "0 0 0 0 0 2 -2 -2 -1 inf 0 1 2 0.5 -1 0 2 3 0 2; 1 1 1 1 1 1 1 1 1 1 still; nan 1 0 inf "
         "-inf 0 -4 12 -0 inf"},
	{"T[10]; T[10]", "pow %0 %1", "T[10]",
         "0 0 0 0 0 2 -2 -2 -1 inf 0 1 2 0.5 -1 0 2 3 0 2; still 1 1 1 1 1 1 1 1 1 1; 0 0 0 0 nan "
         "0.693147181 nan nan nan inf"},
	{"T[6]; i32[6]", "pow %0 %1", "T[6]",
         "0 0 0 2 -2 0 0 1 2 3 -1 -1; 1 1 1 1 1 1 still; 0 1 0 12 -0.25 -inf"},
	{"T[4]; u64[4]", "pow %0 %1", "T[4]", "0 0 0 2 0 1 2 3; 1 1 1 1 still; 0 1 0 12"},
	{"T[4]; T[4]", "rem %0 %1", "T[4]", "4 -4 0 5 2 2 2 -5; 1 1 1 1 3 3 3 3; -5 7 1 4"},
	{"T[4]; T[4]", "rem %0 %1", "T[4]", "5 -5 5 -5 3 3 -3 -3; 1 1 1 1 3 3 3 3; -2 4 4 -2"},
	{"T[3]; T[3]", "div %0 %1", "T[3]", "0 1 0 1 0 0; 1 1 1 still; 1 inf inf"},
	{"T[3]; T[3]", "div %0 %1", "T[3]", "0 1 0 1 0 0; still 1 1 1; -0 -inf nan"},
	{"T[3,3]", "reduce_max %0 dims=[1]", "T[3]",
         "1 1 0 2 2 2 0 -0 -1; 1 2 4 1 2 6 1 3 5; 1.5 3 2"},
	{"T[2,2]", "reduce_max %0 dims=[1]", "T[2]", "nan 1 inf inf; 1 2 1 2; nan 1.5"},
	{"T[4]", "reduce_max %0 dims=[0]", "T[]", "1 3 3 1; 1 2 4 8; 3"},
	{"T[3]", "reduce_max %0 dims=[]", "T[3]", "1 3 3; 1 2 4; 1 2 4"},
	{"T[3,3]", "reduce_min %0 dims=[1]", "T[3]",
         "1 1 0 2 2 2 0 -0 -1; 1 2 4 1 2 6 1 3 5; 4 3 5"},
	{"T[2,2]", "reduce_min %0 dims=[1]", "T[2]", "nan 1 inf inf; 1 2 1 2; nan 1.5"},
	{"T[4]", "reduce_min %0 dims=[0]", "T[]", "1 3 3 1; 1 2 4 8; 4.5"},
	{"T[3]", "reduce_min %0 dims=[]", "T[3]", "1 3 3; 1 2 4; 1 2 4"},
	{"T[4,3]", "reduce_prod %0 dims=[1]", "T[4]",
         "0 2 3 0 0 5 0 0 0 2 3 4; 1 2 3 1 2 3 1 1 1 1 1 1; 6 0 0 26"},
	{"T[6]; T[6]; T[6]", "clamp %0 %1 %2", "T[6]",
         "0 0 0 0 0 0 0 1 2 3 -1 1 2 2 2 2 2 0; 1 1 1 1 1 1 10 10 10 10 10 10 100 100 100 100 100 "
         "100; 5.5 10 55 100 1 100"},
	{"T[6]; T[6]; T[6]", "clamp %0 %1 %2", "T[6]",
         "3 3 3 3 3 1 0 1 2 3 4 1 1 1 1 1 1 1; 1 1 1 1 1 1 10 10 10 10 10 10 100 100 100 100 100 "
         "100; 100 100 100 100 100 52.75"},
	{"T[1]; T[1]; T[1]", "clamp %0 %1 %2", "T[1]", "0 nan 2; 1 10 100; 0"},
	{"T[3]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("", "0", "0", "", "") " slice_sizes=[1] mode=fill", "T[4]",
         "1 2 3 0 -1 2 3; 1 2 3 still; 1 0 3 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=max mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "10.33333333333 24 3 0 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=min mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "10.33333333333 24 50 0 0"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=set mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "20 40 50 60 70"},
	{"T[5]; i32[8,1]; T[8]", "scatter %0 %1 %2" AT_ROWS " combine=add mode=drop", "T[5]",
         "1 2 3 nan 0 0 0 1 1 2 3 4 9 1 1 2 2 1 1 nan 7; 1 2 3 4 5 still 10 20 30 40 50 60 70 80; "
         "31 72 53 64 75"},
	{"T[3]; i32[3,1]; T[3]",
         "scatter %0 %1 %2" AT_ROWS " combine=mul mode=drop unique_indices=true", "T[3]",
         "0 2 3 1 5 0 0 1 5; 1 2 3 still 10 20 30; 5 20 3"},
	{"c128[1]", "sign %0", "c128[1]", "(1,2); (1,1); (0,0)"},
	{"c128[2]", "abs %0", "f64[2]", "(0,0) (1,2); (1,1) (1,1); 0 1.34164079"},
};

#endif
