import CoreData
import Synchronization

/// Stores the steps that a tab has staged in a store, one call a line, so that they survive the end of the program.
///
/// Invariants:
/// 1. A line is on the disk when `append` returns.
/// 2. A line that the end of the program has cut off is ignored, and the next line overwrites it.
/// 3. A journal that a running program has written to is locked, so no other program takes it over.
/// 4. Lines that begin with `#` have the identity of the store's file; the last one is valid. Steps that were staged in
///    another file are set aside, and are staged again only if the user decides so.
package final class EditJournal: Sendable {
    static let suffix = ".journal"
    /// The first character of lines with the identity of the store's file.
    static let mark = "#"
    private static let standardLimit = 64 << 20

    let file: URL
    let tab: String
    let folder: StateFolder
    private let limit: Int
    private let state: Mutex<State>

    private struct State {
        /// The present identity of the store.
        var identity: StoreFileIdentity
        /// The end of the last complete line; nil until the file has been read.
        var end: Int?
        /// The file, which is open and locked since this journal first wrote a line; -1 before.
        var descriptor: Int32 = -1
    }

    /// The journal of a tab for a store. The first line creates its file.
    ///
    /// - Throws: `BrowserFailure` where its folder cannot be made.
    package init(
        of identity: StoreFileIdentity, tab: String, in folder: StateFolder, limit: Int = standardLimit
    ) throws {
        file = try folder.file(tab, suffix: Self.suffix, ofStore: identity.folder)
        (self.tab, self.folder, self.limit) = (tab, folder, limit)
        state = Mutex(State(identity: identity))
    }

    /// The present identity of the journal's store.
    var identity: StoreFileIdentity { state.withLock { $0.identity } }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes over the newest journal that a tab of an ended program left, unless this tab has one; its lines then
    /// belong to this journal. Journals that were written for another file are set aside.
    ///
    /// - Returns: Whether there was one.
    package func adoptAbandoned() throws -> Bool {
        guard !FileManager.default.fileExists(atPath: file.path) else { return false }
        let identity = identity
        for other in try Self.left(in: identity.folder, folder) {
            guard let descriptor = Self.locked(other) else { continue }
            guard try Self.isWritten(other, for: identity) else {
                try setAside(other)
                close(descriptor)
                continue
            }
            guard rename(other.path, file.path) == 0 else {
                close(descriptor)
                continue
            }
            StateFile.synchronizeFolder(of: file)
            state.withLock { $0 = State(identity: identity, end: nil, descriptor: descriptor) }
            return true
        }
        return false
    }

    /// The journals of tabs in a folder, the newest first.
    static func left(in identifier: String, _ folder: StateFolder) throws -> [URL] {
        try tabs(ofStore: identifier, in: folder).filter(isTab)
            .map { try folder.file($0, suffix: suffix, ofStore: identifier) }.sorted(by: isNewer)
    }

    /// Opens a journal and locks it; nil if a running program has locked it or it cannot be opened.
    static func locked(_ file: URL) -> Int32? {
        let descriptor = open(file.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether a session made the name of a tab, rather than a user of the host or a program.
    static func isTab(_ name: String) -> Bool { !name.hasPrefix("user ") && name != "program" }

    private static func isNewer(_ one: URL, than other: URL) -> Bool {
        func date(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate ?? .distantPast
        }
        return date(one) > date(other)
    }

    /// The tabs that have a journal for a store.
    package static func tabs(ofStore identifier: String, in folder: StateFolder) throws -> [String] {
        try folder.names(suffix: suffix, ofStore: identifier)
    }

    /// Appends a line; returns when the line is on the disk.
    ///
    /// - Throws: `BrowserFailure`; then the journal is unchanged.
    package func append(_ line: String) throws {
        guard !line.utf8.contains(UInt8(ascii: "\n")) else {
            throw BrowserFailure.badRequest("a line of the journal has a line break")
        }
        try state.withLock { state in
            let last = try state.end ?? wholeLines().count
            let head = last == 0 && !state.identity.path.isEmpty ? Self.mark + state.identity.line + "\n" : ""
            try write(Array((head + line + "\n").utf8), at: last, &state)
        }
    }

    /// Records a new identity of the store's file; if lines were written, also in the journal.
    package func note(_ identity: StoreFileIdentity) throws {
        try state.withLock { state in
            guard state.identity != identity else { return }
            state.identity = identity
            let last = try state.end ?? wholeLines().count
            guard last > 0 else { return }
            try write(Array((Self.mark + identity.line + "\n").utf8), at: last, &state)
        }
    }

    private func write(_ bytes: [UInt8], at last: Int, _ state: inout State) throws {
        guard bytes.count <= limit - last else {
            throw BrowserFailure(
                413, code: "tooMuchStaged", reason: "what is staged would take more than \(limit) bytes",
                hint: "save or discard what is staged")
        }
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        if isNew || state.descriptor < 0 { try reopen(&state) }
        let descriptor = state.descriptor
        // If writing fails, the next call finds the last complete line by reading the file.
        state.end = nil
        guard ftruncate(descriptor, last) == 0, Self.write(bytes, to: descriptor, at: last),
            fdatasync(descriptor) == 0
        else {
            let failure = Self.failure(file)
            _ = ftruncate(descriptor, last)
            throw failure
        }
        if isNew { StateFile.synchronizeFolder(of: file) }
        state.end = last + bytes.count
    }

    /// Opens the file, or creates it, and locks it for as long as the journal is used.
    private func reopen(_ state: inout State) throws {
        if state.descriptor >= 0 { close(state.descriptor) }
        state.descriptor = open(file.path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard state.descriptor >= 0 else { throw Self.failure(file) }
        // The lock only marks the journal as in use; if another journal of the same tab has it, both write.
        _ = flock(state.descriptor, LOCK_EX | LOCK_NB)
    }

    /// The complete lines with steps, in their order.
    package func lines() throws -> [String] {
        try state.withLock { _ in
            try Self.allLines(of: file, limit: limit).filter { !$0.hasPrefix(Self.mark) }
        }
    }

    /// Removes all lines, with the file.
    package func clear() throws {
        try state.withLock { state in
            guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.failure(file) }
            if state.descriptor >= 0 { close(state.descriptor) }
            state = State(identity: state.identity, end: 0)
        }
    }

    private func wholeLines() throws -> ArraySlice<UInt8> { try Self.wholeLines(of: file, limit: limit) }

    /// The complete lines of a journal, including those about its store's file.
    static func allLines(of file: URL, limit: Int = standardLimit) throws -> [String] {
        try wholeLines(of: file, limit: limit).split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func wholeLines(of file: URL, limit: Int) throws -> ArraySlice<UInt8> {
        guard let bytes = try StateFile.bytes(of: file, limit: limit) else { return [] }
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return bytes[...last]
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, at start: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            }
            guard count > 0 || errno == EINTR else { return false }
            done += max(count, 0)
        }
        return true
    }

    private static func failure(_ file: URL) -> BrowserFailure {
        StateFolder.failure(file, String(cString: strerror(errno)))
    }
}
