import CoreData
import Synchronization

/// What a tab has staged in a store, line by line, so that it survives the end of the program.
///
/// Invariants:
/// 1. A line is on the disk when `append` returns.
/// 2. A line that the end of the program cut off is in no answer, and the next one does not continue it.
/// 3. A journal that a living program has written to is locked, so no other program takes it over.
/// 4. The file of the store that it was written for stands in lines that begin with `#`, the last of which counts. What was
///    staged in another file is set aside, and staged only when a person says so.
package final class EditJournal: Sendable {
    static let suffix = ".journal"
    /// How lines begin that say for which file the journal was written.
    static let mark = "#"
    private static let standardLimit = 64 << 20

    let file: URL
    let tab: String
    let folder: StateFolder
    private let limit: Int
    private let state: Mutex<State>

    private struct State {
        /// The store as it is now.
        var identity: StoreFileIdentity
        /// The end of the last whole line; nil until the file has been looked at.
        var end: Int?
        /// Open and locked since the first line; -1 before.
        var descriptor: Int32 = -1
    }

    /// The journal of a tab for a store. Its file is made by the first line.
    ///
    /// - Throws: `BrowserFailure` where its folder cannot be made.
    package init(
        of identity: StoreFileIdentity, tab: String, in folder: StateFolder, limit: Int = standardLimit
    ) throws {
        file = try folder.file(tab, suffix: Self.suffix, ofStore: identity.folder)
        (self.tab, self.folder, self.limit) = (tab, folder, limit)
        state = Mutex(State(identity: identity))
    }

    /// The store that the journal is for, as it is now.
    var identity: StoreFileIdentity { state.withLock { $0.identity } }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes over the newest journal of a tab that was left when its program ended, unless this tab has one; its lines are
    /// this journal's then. Those that were written for another file are set aside.
    ///
    /// - Returns: whether there was one.
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

    /// Opens and locks a journal that no living program has; nil for others.
    static func locked(_ file: URL) -> Int32? {
        let descriptor = open(file.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether a name is one that a session gave to a tab, rather than that of a user or a program.
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

    /// Adds a line, which is on the disk afterwards.
    ///
    /// - Throws: `BrowserFailure`; then the journal has the lines that it had.
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

    /// Writes down that the store has another file now, unless nothing is staged.
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
        // Until the line is whole, what is behind the last one does not count.
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

    /// Opens the file, making it where it is not there, and locks it for as long as the journal is used.
    private func reopen(_ state: inout State) throws {
        if state.descriptor >= 0 { close(state.descriptor) }
        state.descriptor = open(file.path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard state.descriptor >= 0 else { throw Self.failure(file) }
        // The lock only says that a process is running; a tab of the same name may well write on.
        _ = flock(state.descriptor, LOCK_EX | LOCK_NB)
    }

    /// The whole lines in their order.
    package func lines() throws -> [String] {
        try state.withLock { _ in
            try Self.allLines(of: file, limit: limit).filter { !$0.hasPrefix(Self.mark) }
        }
    }

    /// Forgets all lines.
    package func clear() throws {
        try state.withLock { state in
            guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.failure(file) }
            if state.descriptor >= 0 { close(state.descriptor) }
            state = State(identity: state.identity, end: 0)
        }
    }

    private func wholeLines() throws -> ArraySlice<UInt8> { try Self.wholeLines(of: file, limit: limit) }

    /// The whole lines of a journal, those about its store's file among them.
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
