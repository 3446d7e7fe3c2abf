#include "CGMime.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

// Objects of the library, which it counts references of; only pointers to them are known here.
typedef void object;

// What is called of libgmime-3.0 and of GObject, which it brings along. Enumerations are passed as int, as C does.
#define FUNCTIONS(use)                                                                              \
    use(void, g_mime_init, (void))                                                                  \
    use(object *, g_mime_message_new, (int pretty))                                                 \
    use(void, g_mime_message_add_mailbox, (object *, int role, const char *name, const char *address)) \
    use(void, g_mime_message_set_subject, (object *, const char *subject, const char *charset))     \
    use(void, g_mime_message_set_message_id, (object *, const char *identifier))                    \
    use(void, g_mime_message_set_mime_part, (object *, object *part))                               \
    use(void, g_mime_object_set_header, (object *, const char *name, const char *value, const char *charset)) \
    use(void, g_mime_object_set_content_type_parameter, (object *, const char *name, const char *value)) \
    use(void, g_mime_object_set_disposition, (object *, const char *disposition))                   \
    use(void, g_mime_object_set_content_id, (object *, const char *identifier))                     \
    use(ssize_t, g_mime_object_write_to_stream, (object *, object *options, object *stream))        \
    use(object *, g_mime_part_new_with_type, (const char *type, const char *subtype))               \
    use(void, g_mime_part_set_content, (object *, object *content))                                 \
    use(void, g_mime_part_set_content_encoding, (object *, int encoding))                           \
    use(void, g_mime_part_set_filename, (object *, const char *name))                               \
    use(object *, g_mime_multipart_new_with_subtype, (const char *subtype))                         \
    use(void, g_mime_multipart_add, (object *, object *part))                                       \
    use(object *, g_mime_data_wrapper_new_with_stream, (object *stream, int encoding))              \
    use(object *, g_mime_stream_mem_new_with_buffer, (const char *bytes, size_t size))              \
    use(object *, g_mime_stream_fs_new, (int descriptor))                                           \
    use(int, g_mime_stream_flush, (object *stream))                                                 \
    use(object *, g_mime_format_options_new, (void))                                                \
    use(void, g_mime_format_options_free, (object *options))                                        \
    use(void, g_mime_format_options_set_newline_format, (object *options, int format))              \
    use(void, g_mime_format_options_add_hidden_header, (object *options, const char *name))         \
    use(void, g_object_unref, (object *))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    FUNCTIONS(MEMBER)
} gmime;

// Values of the library's enumerations.
enum { address_from = 1, address_reply_to = 2, address_to = 3, address_cc = 4 };
enum { encoding_default = 0, encoding_7bit = 1, encoding_base64 = 4, encoding_quoted_printable = 5 };
enum { newline_dos = 1 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char load_error[512];

static void load(void) {
    // Its address is never given up: the library registers types that live until the process ends.
    void *library = dlopen("libgmime-3.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *said = dlerror();
        snprintf(load_error, sizeof load_error, "%s", said ? said : "libgmime-3.0.so.0 cannot be opened");
        return;
    }
#define FIND(result, name, parameters)                                                              \
    *(void **)&gmime.name = dlsym(library, #name);                                                  \
    if (!gmime.name) {                                                                              \
        snprintf(load_error, sizeof load_error, "libgmime-3.0.so.0 has no function " #name);        \
        return;                                                                                     \
    }
    FUNCTIONS(FIND)
    gmime.g_mime_init();
    is_loaded = 1;
}

int cgmime_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

const char *cgmime_load_error(void) { return load_error; }

static int library_encoding(enum cgmime_encoding encoding) {
    switch (encoding) {
    case cgmime_base64: return encoding_base64;
    case cgmime_quoted_printable: return encoding_quoted_printable;
    default: return encoding_7bit;
    }
}

// Takes the stream over.
static object *part_with_stream(
    const char *type, const char *subtype, object *stream, enum cgmime_encoding encoding) {
    if (!stream) return NULL;
    object *part = gmime.g_mime_part_new_with_type(type, subtype);
    object *content = gmime.g_mime_data_wrapper_new_with_stream(stream, encoding_default);
    gmime.g_object_unref(stream);
    if (part && content) {
        gmime.g_mime_part_set_content(part, content);
        gmime.g_mime_part_set_content_encoding(part, library_encoding(encoding));
    }
    if (content) gmime.g_object_unref(content);
    return part;
}

cgmime_part *cgmime_part_with_bytes(
    const char *type, const char *subtype, const void *bytes, size_t size, enum cgmime_encoding encoding) {
    object *stream = gmime.g_mime_stream_mem_new_with_buffer(bytes ? bytes : "", size);
    return part_with_stream(type, subtype, stream, encoding);
}

cgmime_part *cgmime_part_with_file(
    const char *type, const char *subtype, int descriptor, enum cgmime_encoding encoding) {
    object *stream = gmime.g_mime_stream_fs_new(descriptor);
    if (!stream) close(descriptor);
    return part_with_stream(type, subtype, stream, encoding);
}

cgmime_part *cgmime_part_with_parts(const char *subtype) { return gmime.g_mime_multipart_new_with_subtype(subtype); }

void cgmime_part_add(cgmime_part *parts, cgmime_part *part) {
    gmime.g_mime_multipart_add(parts, part);
    gmime.g_object_unref(part);
}

void cgmime_part_set_parameter(cgmime_part *part, const char *name, const char *value) {
    gmime.g_mime_object_set_content_type_parameter(part, name, value);
}

void cgmime_part_set_disposition(cgmime_part *part, const char *disposition, const char *file_name) {
    gmime.g_mime_object_set_disposition(part, disposition);
    // Sets the parameter of the media type too, which older readers look for.
    if (file_name) gmime.g_mime_part_set_filename(part, file_name);
}

void cgmime_part_set_content_id(cgmime_part *part, const char *identifier) {
    gmime.g_mime_object_set_content_id(part, identifier);
}

void cgmime_part_free(cgmime_part *part) { gmime.g_object_unref(part); }

cgmime_message *cgmime_message_new(void) { return gmime.g_mime_message_new(1); }

void cgmime_message_free(cgmime_message *message) { gmime.g_object_unref(message); }

void cgmime_message_add_address(
    cgmime_message *message, enum cgmime_role role, const char *name, const char *address) {
    static const int roles[] = {address_from, address_reply_to, address_to, address_cc};
    gmime.g_mime_message_add_mailbox(message, roles[role], name, address);
}

void cgmime_message_set_subject(cgmime_message *message, const char *subject) {
    gmime.g_mime_message_set_subject(message, subject, "utf-8");
}

void cgmime_message_set_identifier(cgmime_message *message, const char *identifier) {
    gmime.g_mime_message_set_message_id(message, identifier);
}

void cgmime_message_set_field(cgmime_message *message, const char *name, const char *value) {
    gmime.g_mime_object_set_header(message, name, value, "utf-8");
}

void cgmime_message_set_content(cgmime_message *message, cgmime_part *part) {
    gmime.g_mime_message_set_mime_part(message, part);
    gmime.g_object_unref(part);
}

int64_t cgmime_message_write(cgmime_message *message, int descriptor) {
    // The stream closes its descriptor.
    int own = dup(descriptor);
    if (own < 0) return -1;
    object *stream = gmime.g_mime_stream_fs_new(own);
    object *options = gmime.g_mime_format_options_new();
    gmime.g_mime_format_options_set_newline_format(options, newline_dos);
    gmime.g_mime_format_options_add_hidden_header(options, "Bcc");
    int64_t written = gmime.g_mime_object_write_to_stream(message, options, stream);
    if (written >= 0 && gmime.g_mime_stream_flush(stream) < 0) written = -1;
    gmime.g_mime_format_options_free(options);
    gmime.g_object_unref(stream);
    return written;
}
