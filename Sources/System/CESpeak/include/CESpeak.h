#pragma once
#include <stddef.h>

// What is used of libespeak-ng, which is opened at run time and of which no header is needed. Only the program
// coredata-speech calls it: the library is under the GNU GPL 3, hence a process apart.

// A word that is spoken: characters from the first one, which is 0, and milliseconds from the beginning.
typedef void (*cespeak_word)(void *context, int position, int length, int milliseconds);
// Samples of one channel, of 16 bits. Returns 0 to go on.
typedef int (*cespeak_samples)(void *context, const short *samples, int count);
// A voice: its identifier, the tag of its first language, its name; gender 0 for none, 1 male, 2 female.
typedef void (*cespeak_voice)(void *context, const char *identifier, const char *language, const char *name, int gender);

// Opens the library. Returns the samples in a second, or 0 with cespeak_error saying why.
int cespeak_open(void);
const char *cespeak_error(void);

void cespeak_list(void *context, cespeak_voice voice);

// Speaks a text in UTF-8. Rate in words a minute (80 to 450), pitch 0 to 100 (50 usual), volume 0 to 200 (100 usual).
// Returns 0, or a code of the library; -1 if there is no such voice.
int cespeak_speak(const char *voice, const char *text, size_t size, int rate, int pitch, int volume, void *context,
                  cespeak_word word, cespeak_samples samples);
