/* index_text.c - writes the index of a checkpoint.
 *
 *     {"format":"tsr-checkpoint","version":1,"step":12,
 *     "meshes":[{"axes":[["x",4],["y",2]]}],
 *     "leaves":[{"name":"w","dtype":"F32","dims":[8,4],"mesh":0,"spec":[["x"],["y"]]},
 *     {"name":"b"}],
 *     "files":[{"name":"00000-00000.safetensors","bytes":208,"header":192,
 *     "hash":"003841e113de16d5"},
 *     {"name":"00000-00001.safetensors","bytes":208,"header":192,
 *     "hash":"cbcc4895c9ef44c1"},
 *     ...
 *     "hash":"940c59703d6bb487"}
 *
 * with a line for each file. Device k of a mesh has the id k where it has no list of "devices"; a
 * device alone is a mesh without axes. The spec has the axes of each dim, the major one first, and
 * may end before the last dim. A leaf with a name alone was absent. Which file has which piece
 * follows from that, so it is not written. The last hash is of all that is in front of the comma
 * before it. */
#include <stdio.h>
#include "lib/checkpoint/checkpoint.h"

void file_name_of(char out[FILE_NAME], int rank, int64_t device)
{
	snprintf(out, FILE_NAME, "%05d-%05lld.safetensors", rank, (long long)device);
}

/* meshes that the leaves name, each once; a device alone is a mesh too */
typedef struct mesh_list {
	const sharding **of; /* one sharding of each */
	size_t n;
} mesh_list;

static bool same_mesh(const sharding *a, const sharding *b)
{
	return a->mesh == b->mesh && (a->mesh || a->device == b->device);
}

static size_t mesh_number(mesh_list *l, const sharding *s)
{
	size_t k = 0;

	while (k < l->n && !same_mesh(l->of[k], s)) k++;
	if (k == l->n) l->of[l->n++] = s;
	return k;
}

static void put_mesh(str *s, const sharding *of)
{
	const mesh *m = of->mesh;

	str_put(s, "{\"axes\":[");
	for (int i = 0; m && i < m->naxes; i++) {
		str_put(s, i ? ",[" : "[");
		json_text(s, m->axis[i].name);
		str_printf(s, ",%lld]", (long long)m->axis[i].size);
	}
	str_put(s, "]");
	if (!m || !m->list->ordered) {
		const int64_t n = sharding_ndevices(of);
		str_put(s, ",\"devices\":[");
		for (int64_t k = 0; k < n; k++)
			str_printf(s, k ? ",%lld" : "%lld", (long long)sharding_device(of, k));
		str_put(s, "]");
	}
	str_put(s, "}");
}

static void put_spec(str *s, const sharding *of)
{
	str_put(s, "[");
	for (int d = 0; d < of->spec.ndim; d++) {
		str_put(s, d ? ",[" : "[");
		for (int i = of->spec.start[d]; i < of->spec.start[d + 1]; i++) {
			if (i > of->spec.start[d]) str_put(s, ",");
			json_text(s, of->mesh->axis[of->spec.axis[i]].name);
		}
		str_put(s, "]");
	}
	str_put(s, "]");
}

static void put_leaf(str *s, const saved_leaf *leaf, mesh_list *meshes)
{
	str_put(s, "{\"name\":");
	json_text(s, leaf->name);
	if (leaf->dtype) {
		str_printf(s, ",\"dtype\":\"%s\",\"dims\":[", safetensors_dtype(leaf->dtype));
		str_dims(s, leaf->dims, leaf->ndim);
		str_printf(s, "],\"mesh\":%zu,\"spec\":", mesh_number(meshes, leaf->sharding));
		put_spec(s, leaf->sharding);
	}
	str_put(s, "}");
}

void index_begin(str *s, int64_t step, const saved_leaf *leaf, size_t n)
{
	mesh_list meshes = {.of = mem_array(s->base, n + 1, sizeof *meshes.of)};
	str leaves = {.base = s->base};

	s->lost |= !meshes.of;
	str_printf(s, "{\"format\":\"tsr-checkpoint\",\"version\":1,\"step\":%lld,\n\"meshes\":[",
	           (long long)step);
	for (size_t k = 0; !s->lost && k < n; k++) {
		put_leaf(&leaves, &leaf[k], &meshes);
		str_put(&leaves, k + 1 < n ? ",\n" : "");
	}
	for (size_t k = 0; !s->lost && k < meshes.n; k++) {
		if (k) str_put(s, ",\n");
		put_mesh(s, meshes.of[k]);
	}
	s->lost |= leaves.lost;
	str_put(s, "],\n\"leaves\":[");
	if (leaves.s) str_put(s, leaves.s);
	str_put(s, "],\n\"files\":[");
	str_free(&leaves);
	mem_free(s->base, meshes.of);
}

void index_line(char *out, size_t room, const saved_file *f)
{
	char name[FILE_NAME];

	file_name_of(name, f->rank, f->device);
	snprintf(out, room, "{\"name\":\"%s\",\"bytes\":%zu,\"header\":%zu,\"hash\":\"%016llx\"}",
	         name, f->bytes, f->header, (unsigned long long)f->hash);
}

void index_end(char out[INDEX_END], uint64_t hash)
{
	snprintf(out, INDEX_END, ",\n\"hash\":\"%016llx\"}\n", (unsigned long long)hash);
}
