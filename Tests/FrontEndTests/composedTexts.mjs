/** What a store cannot do, as its errors say it. */
const actions = ['opened', 'read', 'saved', 'written', 'migrated', 'copied', 'replaced', 'destroyed', 'used', 'asked',
    'given metadata'].map((word) => `be ${word}`).concat('have its log written back', 'finish its migration');

/** The same of hints in which an option of the tool replaces what code does. */
const model = 'give the model that it was made with: --model PATH';

/** What is wrong with the address of a hub. */
const flaws = ['is none of a hub', 'names no group of lower-case letters, digits and hyphens',
    "does not end in '#' and the 64 digits of the hub's pin",
    'is of plain HTTP, which only hubs on this machine are reached by'];

/** Why an item of a sealed place is refused. */
const refusals = ['is damaged or was cut off', 'is of another version of the format', 'is not sealed', 'is too large',
    'is sealed with a key that this device was not given', 'was written by a device that was not admitted',
    'was written by a device that was revoked',
    'asks to be admitted with a pairing text that another device has used',
    'asks to be admitted with a pairing text that has expired'];

/** What options of stores that take part in sync must be. */
const forms = ["a name without '/' that begins with no '.'", "a path without '..'", 'the URL of a folder, or a path'];

/**
 * Parts of texts, as literals of Swift sources have them, and the texts that are made of them, which the tables have.
 * @type {Map<string, string[]>}
 */
export const composed = new Map([
    ["The store '{}' cannot {}: {}.", actions.map((action) => `The store '{}' cannot ${action}: {}.`)],
    // The tool names the store before the text.
    ["The store '{}' ", actions.map((action) => `the store cannot ${action}: {}.`).concat(
        'the store cannot be migrated: the version of the model that it was made with is not known.',
        'the store is of another version by now: another program has migrated it')],
    ['the store ', []],
    ...actions.map((action) => [action, []]),
    ["The store in the file '{}' was {} while it was open.",
        ['replaced by another', 'migrated to another version of the model', 'replaced by an older copy of itself'].map(
            (change) => `The store in the file '{}' was ${change} while it was open.`)],
    ['; try again when it is done', ['Another program is using the store; try again when it is done.']],
    [model, [`${model}.`, `${model}, or restore the file from a backup.`]],
    ['The model used to open the store is incompatible with the one used to create the store', [
        'The model used to open the store is incompatible with the one used to create the store',
        "The model used to open the store is incompatible with the one used to create the store: '{}'."]],
    ["{}: '{}'. These entities differ: {}.", ['These entities differ: {}.', 'These entities differ: {}. ({})']],
    ["takes YES or NO, not '{}'", ["'{}' takes YES or NO, not '{}'"]],
    ["takes a whole number of at least 0, not '{}'", ["'{}' takes a whole number of at least 0, not '{}'"]],
    ["takes {}, not '{}'", ["'{}' takes {}, not '{}'"]],
    ['does not parse at character {}: found {}', ["'{}' does not parse at character {}: found {}"]],
    ['is for attributes of type {}, and this one is of type {}',
        ["'{}' is for attributes of type {}, and this one is of type {}"]],
    ['is for relationships to many', ["'{}' is for relationships to many"]],
    ['the index that was',
        ['no index would help: the index that was tried makes it read or sort no less']],
    ['none of the {} indexes that were',
        ['no index would help: none of the {} indexes that were tried makes it read or sort less']],
    ['no index would help: {} tried makes it read or sort no less', []],
    ['no index would help: {} tried makes it read or sort less', []],
    ['{} error{}, nothing is written', ['{} error, nothing is written', '{} errors, nothing is written']],
    ['{} finding{}, of which {} can be repaired.',
        ['{} finding, of which {} can be repaired.', '{} findings, of which {} can be repaired.']],
    ['{} {} to look at, each marked DECIDE',
        ['{} place to look at, each marked DECIDE', '{} places to look at, each marked DECIDE']],
    ['{} {}', ['{} request', '{} requests']],
    ['this is not JSON: {} {}', ['this is not JSON: {} at line {}, byte {}']],
    ['the answer of {} {}', []],
    ['has no code for another device, or no page of https for it',
        ['the answer of {} has no code for another device, or no page of https for it']],
    ['has no access token', ['the answer of {} has no access token']],
    ['has a token of a type other than Bearer', ['the answer of {} has a token of a type other than Bearer']],
    ['with status {} does not describe a provider', ['the answer of {} with status {} does not describe a provider']],
    ['has no token_endpoint', ['the answer of {} has no token_endpoint']],
    ['is not valid or too large', ['the answer of {} is not valid or too large']],
    ['is a redirect, which is refused here', ['the answer of {} is a redirect, which is refused here']],
    ['with status {} is no JSON object', ['the answer of {} with status {} is no JSON object']],
    ['{} is not a {}', ['{} is not a file', '{} is not a folder']],
    ['{} cannot be {}: {}', [
        '{} cannot be read: {}', '{} cannot be written: {}', '{} cannot be opened: {}', '{} cannot be locked: {}']],
    ["the kernel's routing socket cannot be {}: {}; a sandbox may have to allow AF_NETLINK",
        ['opened', 'bound', 'asked', 'read'].map((attempt) =>
            `the kernel's routing socket cannot be ${attempt}: {}; a sandbox may have to allow AF_NETLINK`)],
    ["Cannot {} '{}' of the shared folder: {}.", ['read', 'make', 'write', 'remove'].flatMap((action) =>
        [`Cannot ${action} '{}' of the shared folder: {}.`, `Cannot ${action} '{}' of the shared folder: {}`])],
    ['Cannot {} of the hub {}: {}.', ['list the items', "read '{}'", "write '{}'", "remove '{}'"].flatMap((action) =>
        [`Cannot ${action} of the hub {}: {}.`, `Cannot ${action} of the hub {}: {}`])],
    // Of the reasons that are texts with places, this one would take the beginning of the sentence as its first place.
    ['The hub cannot start: {}.', ['{}', '{} cannot be listened on at port {}: {}'].flatMap((reason) =>
        [`The hub cannot start: ${reason}.`, `The hub cannot start: ${reason}`])],
    [', whose pin is {}', ['it does not admit the key of this device, whose pin is {}']],
    ["The hub's address {}.", flaws.flatMap((flaw) => [`The hub's address ${flaw}.`, `The hub's address ${flaw}`])],
    ...flaws.map((flaw) => [flaw, []]),
    ["The list of admitted keys '{}' cannot be {}.", ['read', 'written'].flatMap((action) =>
        [`The list of admitted keys '{}' cannot be ${action}.`, `The list of admitted keys '{}' cannot be ${action}`])],
    ["The item '{}' {}.", refusals.flatMap((reason) => [`The item '{}' ${reason}.`, `The item '{}' ${reason}`])],
    ...refusals.map((reason) => [reason, []]),
    ["Cannot {} '{}': {}.", ['read', 'write', 'lock', 'make'].flatMap((action) =>
        [`Cannot ${action} '{}': {}.`, `Cannot ${action} '{}': {}`])],
    ["The store option '{}' must be {}.", forms.map((form) => `The store option '{}' must be ${form}.`)],
    ...forms.map((form) => [form, []]),
    ['The substitutions of {} contain each other: ', ['The substitutions of {} contain each other: {}.']],
    ['The variables of {} contain each other, or are nested too deep: ',
        ['The variables of {} contain each other, or are nested too deep: {}.']],
    ['The variable {} of {}', ['The variable {} of {} is not a dictionary.']],
    ['{} is of the unknown kind {}.', ['The variable {} of {} is of the unknown kind {}.']],
    ["{} has a form '{}' that is not a text.", ["The variable {} of {} has a form '{}' that is not a text."]],
    ["{} has no form 'other'.", ["The variable {} of {} has no form 'other'."]],
    ['{} in quotes is expected here.', ['A key in quotes is expected here.', 'A text in quotes is expected here.']],
    ['The copy cannot hold {}{}: {}.',
        ['The copy cannot hold {}: {}.', 'The copy cannot hold {}, of which the first {} are listed: {}.']],
    ['The persistent history is not copied{}.', [
        'The persistent history is not copied.', 'The persistent history is not copied; --history takes it along.']],
    ['; it was sent the objects {} to {}, {}', [
        'it was sent the objects {} to {}, none before were sent',
        'it was sent the objects {} to {}, the objects 1 to {} were accepted']],
    ['recording process {}{}', ['recording process {}; Ctrl-C ends it']],
    ['would revert {}', ['would revert the {} of the {}']],
    ['reverted {}', ['reverted the {} of the {}']],
    ['{}{} inserted, {} updated, {} deleted in B', ['would be {} inserted, {} updated, {} deleted in B']],
    ['{} bytes{}', ['{} bytes, and {} in the -wal']],
    ['on, {}: {} ({}){}', ['on, {}: {} ({})', 'on, {}: {} ({}) to {} ({})']],
    ["given, version '{}'{}", ["given, version '{}', does not match"]],
    ['model: {}{}', ['model: {}; the file does not say any more which tables it has']],
    ['{}, in quotes', ['a date such as 2024-02-29T12:00:00Z', 'a UUID such as 123E4567-E89B-12D3-A456-426614174000',
        'a URI such as https://example.org', 'bytes in base64'].map((value) => `${value}, in quotes`)],
    ['you may not {} {}', ["you may not {} '{}' of {}"]],
    ['did you mean {}?', ["did you mean '{}'?"]],
    ['{}, which rewrites sources, is not there', ['coredata-port, which rewrites sources, is not there: it is built '
        + "beside a Swift toolchain, with 'swift build --product coredata-port' in OpenCoreData's sources or in a "
        + 'package that uses it. Have it beside coredata or in PATH.']],
    ["'{}' failed", ["'{}' failed, or is of another version than {}: build both from the same sources."]],
]);
