#pragma once
#include <stddef.h>
#include <stdint.h>

// The library is opened when a program first writes a message, and is not linked; nor are its headers needed to build: what is
// called of it is declared in CGMime.c, by the documentation of GMime 3. All other functions may be called only after cgmime_load
// has returned 1. Parts and messages belong to one thread at a time.

/// Opens the library, once in a process; 0 if it is not installed, or lacks a function.
int cgmime_load(void);
/// What the system's loader said when the library could not be opened; an empty text after it was.
const char *_Nonnull cgmime_load_error(void);

/// A part of a message, or several in one.
typedef struct cgmime_part cgmime_part;
/// A message.
typedef struct cgmime_message cgmime_message;

/// How content is written: as it is, or in one of the two encodings of MIME.
enum cgmime_encoding { cgmime_plain, cgmime_base64, cgmime_quoted_printable };
enum cgmime_role { cgmime_from, cgmime_reply_to, cgmime_to, cgmime_cc };

/// A part with content in memory, which is copied; of media type `type`/`subtype`.
cgmime_part *_Nullable cgmime_part_with_bytes(
    const char *_Nonnull type, const char *_Nonnull subtype, const void *_Nullable bytes, size_t size,
    enum cgmime_encoding encoding);
/// A part whose content is read from a file while the message is written; the descriptor is closed with the part, or at once if
/// that fails.
cgmime_part *_Nullable cgmime_part_with_file(
    const char *_Nonnull type, const char *_Nonnull subtype, int descriptor, enum cgmime_encoding encoding);
/// A part for others: `mixed`, `alternative`, `related`.
cgmime_part *_Nullable cgmime_part_with_parts(const char *_Nonnull subtype);
/// Adds a part to one for others, which takes it over.
void cgmime_part_add(cgmime_part *_Nonnull parts, cgmime_part *_Nonnull part);
/// A parameter of the media type, such as the charset.
void cgmime_part_set_parameter(cgmime_part *_Nonnull part, const char *_Nonnull name, const char *_Nonnull value);
/// `attachment` or `inline`, with the file's name, if any.
void cgmime_part_set_disposition(
    cgmime_part *_Nonnull part, const char *_Nonnull disposition, const char *_Nullable file_name);
void cgmime_part_set_content_id(cgmime_part *_Nonnull part, const char *_Nonnull identifier);
void cgmime_part_free(cgmime_part *_Nonnull part);

cgmime_message *_Nullable cgmime_message_new(void);
void cgmime_message_free(cgmime_message *_Nonnull message);
void cgmime_message_add_address(
    cgmime_message *_Nonnull message, enum cgmime_role role, const char *_Nullable name, const char *_Nonnull address);
/// The subject, in UTF-8.
void cgmime_message_set_subject(cgmime_message *_Nonnull message, const char *_Nonnull subject);
/// Without the angle brackets.
void cgmime_message_set_identifier(cgmime_message *_Nonnull message, const char *_Nonnull identifier);
/// A header field whose value is written as it is: dates and the like, or encoded where it is not ASCII.
void cgmime_message_set_field(cgmime_message *_Nonnull message, const char *_Nonnull name, const char *_Nonnull value);
/// The message takes the part over.
void cgmime_message_set_content(cgmime_message *_Nonnull message, cgmime_part *_Nonnull part);
/// Writes the message, with CR LF and without the field Bcc, into a file that is open for writing, and leaves it open; negative if
/// writing or reading an attachment failed.
int64_t cgmime_message_write(cgmime_message *_Nonnull message, int descriptor);
