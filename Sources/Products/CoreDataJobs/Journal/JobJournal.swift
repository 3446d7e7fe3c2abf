import Foundation

/// A folder that has a record of each job that has not ended, so that a process that was killed finds them again.
///
/// `<identifier>.plist` is the record, `<identifier>.lock` a file that its process locks. Records are written whole or not at all. Two
/// processes may have the same folder: a record that one has cannot be claimed by the other.
///
/// May be used from any thread.
public struct JobJournal: Sendable {
    /// What an unfinished job was, for a list in which people choose.
    public struct Listing: Sendable {
        /// The records of jobs that no process runs, the oldest first.
        public var records: [JobRecord] = []
        /// The identifiers of jobs that a process runs now.
        public var inUse: [UUID] = []
        /// Files that are passed over, with what is wrong with each.
        public var problems: [Problem] = []
    }

    /// A file that cannot be read as a record.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The record's file, which stays.
        public let file: URL
        /// Why it cannot be used.
        public let reason: String

        public var description: String { "\(file.path) is passed over: \(reason)" }
    }

    /// At most so many records are read.
    static let greatestRecordCount = 10_000

    /// Where the files are.
    public let folder: URL

    /// A journal in a folder, which is made if it is not there, for its owner alone.
    ///
    /// - Throws: `CocoaError` if the folder cannot be made.
    public init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Notes a job that begins, before it is added to a queue.
    ///
    /// - Parameters:
    ///   - kind: A name by which the program finds the work again.
    ///   - title: What the job does, for people.
    ///   - parameters: What the work needs.
    /// - Throws: ``JobError``.
    public func begin(kind: String, title: String, parameters: [String: String] = [:]) throws -> JournalEntry {
        // Whole seconds: property lists keep no more.
        let created = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let record = JobRecord(id: UUID(), kind: kind, title: title, parameters: parameters, created: created)
        let entry = JournalEntry(record, at: path(record.id), lock: try RecordLock(lockPath(record.id)))
        do {
            try entry.write()
        } catch {
            entry.remove()
            throw error
        }
        return entry
    }

    /// The jobs that have not ended, for which no process is left, and what cannot be read.
    ///
    /// - Throws: `CocoaError` if the folder cannot be read.
    public func unfinished() throws -> Listing {
        var listing = Listing()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names.lazy.filter({ $0.hasSuffix(".plist") }).prefix(Self.greatestRecordCount) {
            let file = folder.appendingPathComponent(name)
            guard let id = UUID(uuidString: String(name.dropLast(6))), name == "\(id.uuidString).plist" else {
                listing.problems.append(Problem(file: file, reason: "its name is not an identifier"))
                continue
            }
            if RecordLock.isHeld(lockPath(id)) {
                listing.inUse.append(id)
                continue
            }
            do {
                listing.records.append(try record(id))
            } catch let error as JobError where error.code == .noRecord {
                continue
            } catch {
                listing.problems.append(Problem(file: file, reason: "\(error)"))
            }
        }
        listing.records.sort { ($0.created, $0.id.uuidString) < ($1.created, $1.id.uuidString) }
        return listing
    }

    /// Takes a record for this process, to resume its job or to remove it.
    ///
    /// - Throws: ``JobError``: `recordInUse` if another one has it, `noRecord` if it is gone, `damagedRecord`.
    public func claim(_ id: UUID) throws -> JournalEntry {
        let lock = try lock(id)
        do {
            return JournalEntry(try record(id), at: path(id), lock: lock)
        } catch let error as JobError where error.code == .noRecord {
            lock.remove()
            throw error
        }
    }

    /// A lock that is only looked at is free again soon.
    private func lock(_ id: UUID) throws -> RecordLock {
        for _ in 0..<4 {
            do {
                return try RecordLock(lockPath(id))
            } catch let error as JobError where error.code == .recordInUse {
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
        return try RecordLock(lockPath(id))
    }

    private func record(_ id: UUID) throws -> JobRecord {
        try JobRecord(decoding: JournalFile.read(path(id), atMost: JobRecord.greatestSize), id: id)
    }

    private func path(_ id: UUID) -> String { folder.appendingPathComponent("\(id.uuidString).plist").path }
    private func lockPath(_ id: UUID) -> String { folder.appendingPathComponent("\(id.uuidString).lock").path }
}
