/* transfer.c - defines the rows that send values to other processes and receive theirs. They are in
 * programs of one device alone, in which the exchanges of several are messages by now
 * (pass/crossing/): what devices of this process have is sent, and what others have comes.
 *
 *     %2: f32[4] = transfer_begin %0 number=1 to=[3] from=[3] types=[f32[4]]
 *     ...                                               computes meanwhile
 *     %5: f32[4] = transfer_end %0 %2 number=1 to=[3] from=[3] types=[f32[4]]
 *
 * sends %0 to process 3 and receives the four numbers that it sends. They are there behind the
 * end, as %5. What is sent stays as it is until then: so the end takes it too. */
#include "prim/row.h"

static unsigned transfer_effects(const eqn *e) { return (void)e, EFFECT_SEEN; }

static int transfer_results(const void *params, int nin)
{
	return (void)nin, ((const transfer_params *)params)->from.n;
}

static bool transfer_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const transfer_params *p = e->params;
	const int held = e->prim == &tsr__prim_transfer_end ? p->from.n : 0;

	if (p->number < 1 || p->to.n + held != e->nin || p->from.n != p->types.n)
		return fail_type(b, e, "%s needs a number, and a process for each value that is "
		                 "sent or received", eqn_name(b, e));
	for (int j = 0; j < p->types.n; j++) {
		if (held && in[p->to.n + j] != p->types.v[j])
			return fail_type(b, e, "%s has other types than its begin", eqn_name(b, e));
		out[j] = p->types.v[j];
	}
	return true;
}

static const field transfer_fields[] = {
	PARAM(transfer_params, number, FIELD_INT),
	PARAM(transfer_params, to, FIELD_INTS),
	PARAM(transfer_params, from, FIELD_INTS),
	PARAM(transfer_params, types, FIELD_TYPES),
	PARAMS_END,
};

#define IN_MESSAGES "messages are made when programs have been transformed"
#define TRANSFER_ROW(prim_, doc_) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, .doc = doc_, .flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK, \
		.nin = -1, .nout = -1, .results = transfer_results, .params = transfer_fields, \
		.types = transfer_types, .effects = transfer_effects, \
		TSR_NO_RULE(COL_FACTORS, IN_MESSAGES), TSR_NO_RULE(COL_JVP, IN_MESSAGES), \
		TSR_NO_RULE(COL_TRANSPOSE, IN_MESSAGES), TSR_NO_RULE(COL_BATCH, IN_MESSAGES), \
		TSR_NO_RULE(COL_COST, "it computes nothing"), \
		TSR_NO_RULE(COL_EVAL, "engines send and receive"), \
		TSR_NO_RULE(COL_LOWER, "engines send and receive"), \
	};

TRANSFER_ROW(transfer_begin, "begins to send values to other processes and to receive theirs")
TRANSFER_ROW(transfer_end, "what was begun to be received, when it is there and all is sent")
