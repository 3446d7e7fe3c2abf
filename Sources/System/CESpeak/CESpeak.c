#include "CESpeak.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The library's structures, as its version 1.51 has them and its ABI keeps them.
typedef struct {
    int type;
    unsigned unique_identifier;
    int text_position;
    int length;
    int audio_position;
    int sample;
    void *user_data;
    union {
        int number;
        const char *name;
        char string[8];
    } id;
} event;

typedef struct {
    const char *name;
    const char *languages;
    const char *identifier;
    unsigned char gender, age, variant, reserved;
    int score;
    void *spare;
} voice_entry;

typedef int callback(short *samples, int count, event *events);

#define FUNCTIONS(use)                                                                                  \
    use(int, espeak_Initialize, (int output, int buffer, const char *path, int options))                \
    use(void, espeak_SetSynthCallback, (callback *))                                                    \
    use(int, espeak_SetParameter, (int parameter, int value, int relative))                             \
    use(int, espeak_SetVoiceByName, (const char *name))                                                 \
    use(const voice_entry **, espeak_ListVoices, (voice_entry *))                                       \
    use(int, espeak_Synth,                                                                              \
        (const void *text, size_t size, unsigned position, int position_type, unsigned end, unsigned flags, \
         unsigned *identifier, void *user))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    FUNCTIONS(MEMBER)
} library;

// Values of the library's enumerations.
enum { output_synchronous = 2 };
enum { parameter_rate = 1, parameter_volume = 2, parameter_pitch = 3 };
enum { event_end_of_list = 0, event_word = 1 };
enum { text_utf8 = 1, text_end_pause = 0x1000 };
enum { initialize_without_exit = 0x8000 };

static char said[512];
static void *spoken_context;
static cespeak_word spoken_word;
static cespeak_samples spoken_samples;

const char *cespeak_error(void) { return said; }

int cespeak_open(void) {
    void *opened = dlopen("libespeak-ng.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        const char *why = dlerror();
        snprintf(said, sizeof said, "%s", why ? why : "libespeak-ng.so.1 cannot be opened");
        return 0;
    }
#define FIND(result, name, parameters)                                                                  \
    *(void **)&library.name = dlsym(opened, #name);                                                     \
    if (!library.name) {                                                                                \
        snprintf(said, sizeof said, "libespeak-ng.so.1 has no function " #name);                        \
        return 0;                                                                                       \
    }
    FUNCTIONS(FIND)
    int rate = library.espeak_Initialize(output_synchronous, 0, NULL, initialize_without_exit);
    if (rate <= 0) {
        snprintf(said, sizeof said, "libespeak-ng does not find its data (package espeak-ng-data)");
        return 0;
    }
    return rate;
}

void cespeak_list(void *context, cespeak_voice voice) {
    const voice_entry **entries = library.espeak_ListVoices(NULL);
    for (int i = 0; entries && entries[i]; i++) {
        const voice_entry *entry = entries[i];
        // The languages are a byte for the priority and a text each; the first is the voice's own.
        if (!entry->identifier || !entry->languages || !entry->languages[0]) continue;
        voice(context, entry->identifier, entry->languages + 1, entry->name ? entry->name : "", entry->gender);
    }
}

static int receive(short *samples, int count, event *events) {
    for (; events && events->type != event_end_of_list; events++) {
        if (events->type != event_word) continue;
        spoken_word(spoken_context, events->text_position - 1, events->length, events->audio_position);
    }
    return samples && count > 0 ? spoken_samples(spoken_context, samples, count) : 0;
}

int cespeak_speak(const char *voice, const char *text, size_t size, int rate, int pitch, int volume, void *context,
                  cespeak_word word, cespeak_samples samples) {
    if (library.espeak_SetVoiceByName(voice)) return -1;
    library.espeak_SetParameter(parameter_rate, rate, 0);
    library.espeak_SetParameter(parameter_pitch, pitch, 0);
    library.espeak_SetParameter(parameter_volume, volume, 0);
    spoken_context = context;
    spoken_word = word;
    spoken_samples = samples;
    library.espeak_SetSynthCallback(receive);
    // The text ends with a zero, which the size counts.
    return library.espeak_Synth(text, size + 1, 0, 1, 0, text_utf8 | text_end_pause, NULL, NULL);
}
