/* markup.c - writes texts that may hold anything as parts of XML, HTML and JSON.
 *
 *     a<b & "c"      as XML  a&lt;b &amp; &quot;c&quot;    as JSON  "a<b & \"c\""
 *     \x1b[1m \xff   as XML  U+FFFD [1m U+FFFD          as JSON  "\u001b[1m U+FFFD" */
#include "base/base.h"

/* how many bytes a character has that begins with this one; 0: none begins so */
static int size_of(unsigned char first)
{
	if (first < 0x80) return 1;
	if (first < 0xC2) return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

/* can XML have it, written with so many bytes? Those between D800 and DFFF are no characters */
static bool is_allowed(uint32_t code, int size)
{
	switch (size) {
	case 1: return code >= ' ' || code == '\t' || code == '\n' || code == '\r';
	case 2: return true;
	case 3: return code >= 0x800 && (code < 0xD800 || code > 0xDFFF) && code <= 0xFFFD;
	default: return code >= 0x10000 && code <= 0x10FFFF;
	}
}

int character_size(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const int size = size_of(c[0]);
	uint32_t code = size == 1 ? c[0] : c[0] & (0x7Fu >> size);

	for (int i = 1; i < size; i++) {
		if ((c[i] & 0xC0) != 0x80) return 0;
		code = code << 6 | (c[i] & 0x3Fu);
	}
	return is_allowed(code, size) ? size : 0;
}

static const char *entity_of(char c)
{
	switch (c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

void str_markup(str *s, const char *text)
{
	while (*text) {
		const int size = character_size(text);
		const char *entity = entity_of(*text);
		if (entity)
			str_put(s, entity);
		else if (size)
			str_putn(s, text, (size_t)size);
		else
			str_put(s, "\xEF\xBF\xBD");
		text += size ? size : 1;
	}
}

void json_text(str *s, const char *text)
{
	str_put(s, "\"");
	while (*text) {
		const unsigned char c = (unsigned char)*text;
		const int size = c < 0x20 || c == 0x7f ? 1 : character_size(text);
		if (c == '"' || c == '\\')
			str_printf(s, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			str_printf(s, "\\u%04x", c);
		else if (size)
			str_putn(s, text, (size_t)size);
		else
			str_put(s, "\xEF\xBF\xBD");
		text += size ? size : 1;
	}
	str_put(s, "\"");
}
