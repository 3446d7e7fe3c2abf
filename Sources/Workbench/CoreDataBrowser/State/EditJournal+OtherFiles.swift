import CoreData

/// Steps that were staged in another file of the same store identifier: a copy, or the file that was at the path
/// before.
package struct SetAsideSteps: Sendable {
    /// The path of the other file; nil if it is not known.
    package let path: String?
    /// The lines of the journal that have steps.
    package let lines: [String]
    private let file: URL

    init(_ file: URL) throws {
        self.file = file
        let all = try EditJournal.allLines(of: file)
        path = EditJournal.identity(in: all)?.path
        lines = all.filter { !$0.hasPrefix(EditJournal.mark) }
    }

    /// Removes the file of the steps.
    func remove() throws {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw StateFolder.failure(file, String(cString: strerror(errno)))
        }
    }

    /// `{"path", "steps"}`
    var json: JSONValue { .object([("path", .text(path)), ("steps", .count(lines.count))]) }
}

extension EditJournal {
    private static let asideSuffix = ".aside"

    /// Prepares the journal of a tab that begins: its own lines or, with `adopts`, those that a tab of an ended program
    /// left. A journal that was written for another file of the store is set aside, unless that file is still in place.
    package func settle(adopts: Bool) throws {
        let identity = identity
        if FileManager.default.fileExists(atPath: file.path), try !Self.isWritten(file, for: identity) {
            try setAside(file)
        }
        guard adopts else { return }
        _ = try adoptAbandoned()
        for other in folder.folders(of: identity) where other != identity.folder {
            for journal in try Self.left(in: other, folder) {
                guard let descriptor = Self.locked(journal) else { continue }
                defer { close(descriptor) }
                if try Self.identity(in: Self.allLines(of: journal))?.isThere != true { try setAside(journal) }
            }
        }
    }

    /// The store file that the last identity line names; nil without such a line.
    static func identity(in lines: [String]) -> StoreFileIdentity? {
        lines.last { $0.hasPrefix(mark) }.flatMap { StoreFileIdentity(line: String($0.dropFirst(mark.count))) }
    }

    /// Whether a journal in a store's folder was written for the present file.
    static func isWritten(_ journal: URL, for identity: StoreFileIdentity) throws -> Bool {
        guard let written = try Self.identity(in: allLines(of: journal)) else { return identity.path.isEmpty }
        return written == identity
    }

    /// Renames a journal, so that it waits for the user's decision.
    func setAside(_ journal: URL) throws {
        let owner = Self.isTab(tab) ? "tab" : tab
        let aside = try folder.file(
            "\(owner)~\(UUID().uuidString)", suffix: Self.asideSuffix, ofStore: identity.folder)
        guard rename(journal.path, aside.path) == 0 else {
            throw StateFolder.failure(journal, String(cString: strerror(errno)))
        }
        StateFile.synchronizeFolder(of: aside)
    }

    /// The first steps that wait for the decision of this tab's user; empty ones are removed.
    package func setAside() throws -> SetAsideSteps? {
        let owner = Self.isTab(tab) ? "tab" : tab
        for name in try folder.names(suffix: Self.asideSuffix, ofStore: identity.folder)
        where name.hasPrefix(owner + "~") {
            let steps = try SetAsideSteps(folder.file(name, suffix: Self.asideSuffix, ofStore: identity.folder))
            guard steps.lines.isEmpty else { return steps }
            try steps.remove()
        }
        return nil
    }
}
