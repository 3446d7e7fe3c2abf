import CoreData
import CoreDataJobs
import Synchronization

/// What a later process needs to begin a job again.
struct ResumableJob: Sendable {
    /// The call that started it, as JSON.
    var request: String
    /// The file that it reads, of which the journal keeps a copy; nil where it reads none.
    var file: URL?
    /// Further facts, such as the file's name.
    var facts: [String: String] = [:]
}

/// The records of jobs that have not ended, in the folder `jobs` of the state: those of a process that was ended are
/// offered again.
///
/// Beside the record of a job that reads a file lies a copy of the file, `IDENTIFIER.data`, a link where that is possible.
final class ResumableJobs: Sendable {
    /// A job that no process runs any more.
    struct Unfinished: Sendable {
        let record: JobRecord
        let kind: JobKind
        let store: String

        /// `{"id", "kind", "subject", "created", "completed", "total"}`
        var json: JSONValue {
            .object([
                ("id", .string(record.id.uuidString)), ("kind", .string(kind.rawValue)),
                ("subject", .string(PrintableText.escaped(record.parameters["subject"] ?? "", limit: 200))),
                ("created", .string(ISODate.text(record.created))),
                ("completed", .integer(record.completedUnitCount)),
                ("total", record.totalUnitCount > 0 ? .integer(record.totalUnitCount) : .null),
            ])
        }
    }

    private let folder: URL
    private let isSwept = Mutex(false)

    init(_ state: StateFolder) { folder = state.url.appendingPathComponent("jobs") }

    /// Notes a job that begins; nil where nothing can be kept: the job runs, and is not offered again.
    ///
    /// - Parameter user: Who started it; nil for the person of a session.
    func begin(_ job: ResumableJob, _ plan: JobPlan, in store: String, by user: String?) -> JournalEntry? {
        guard let journal = try? JobJournal(folder: folder) else { return nil }
        sweep()
        var parameters = job.facts
        parameters["store"] = store
        parameters["user"] = user
        parameters["request"] = job.request
        parameters["subject"] = plan.subject
        guard
            let entry = try? journal.begin(
                kind: plan.kind.rawValue, title: plan.kind.title(plan.subject), parameters: parameters)
        else { return nil }
        if let file = job.file, !keep(file, entry.record.id) {
            entry.remove()
            return nil
        }
        return entry
    }

    private func keep(_ file: URL, _ id: UUID) -> Bool {
        let kept = self.file(of: id)
        if link(file.path, kept.path) == 0 { return true }
        let part = kept.appendingPathExtension("new")
        do {
            try FileManager.default.copyItem(at: file, to: part)
            return rename(part.path, kept.path) == 0
        } catch {
            unlink(part.path)
            return false
        }
    }

    /// The copy of the file that a job reads.
    func file(of id: UUID) -> URL { folder.appendingPathComponent("\(id.uuidString).data") }

    /// Removes the copy of a job's file; the record goes with the job.
    func forget(_ id: UUID) { unlink(file(of: id).path) }

    /// The jobs of a store that were not ended when their process was.
    func unfinished(of store: String) -> [Unfinished] {
        guard FileManager.default.fileExists(atPath: folder.path), let journal = try? JobJournal(folder: folder),
            let listing = try? journal.unfinished()
        else { return [] }
        return listing.records.compactMap { record in
            guard record.parameters["store"] == store, let kind = JobKind(rawValue: record.kind) else { return nil }
            return Unfinished(record: record, kind: kind, store: store)
        }
    }

    /// Takes the record of an unfinished job for this process.
    ///
    /// - Throws: `BrowserFailure` 404 for one that is gone, or that another process has.
    func claim(_ id: String, of store: String) throws -> JournalEntry {
        let gone = BrowserFailure(
            404, code: "unknownJob", reason: "the unfinished job is not there any more",
            hint: "it was begun again, or forgotten, in another tab or program")
        guard let known = unfinished(of: store).first(where: { $0.record.id.uuidString == id }) else { throw gone }
        do {
            return try JobJournal(folder: folder).claim(known.record.id)
        } catch {
            throw gone
        }
    }

    /// Removes copies of files whose records have gone, once.
    private func sweep() {
        let isFirst = isSwept.withLock { isSwept in
            defer { isSwept = true }
            return !isSwept
        }
        guard isFirst else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard let end = name.range(of: ".data"), let id = UUID(uuidString: String(name[..<end.lowerBound])),
                !FileManager.default.fileExists(atPath: folder.appendingPathComponent("\(id.uuidString).plist").path)
            else { continue }
            unlink(folder.appendingPathComponent(name).path)
        }
    }
}
