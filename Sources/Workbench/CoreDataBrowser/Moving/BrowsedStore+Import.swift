import CoreData
import Synchronization

/// Imports the objects of a file that a client sent into a store.
extension BrowsedStore {
    /// How the objects of a file are imported.
    struct ImportChoice: Sendable {
        var request: StoreImport.Request

        /// Reads `{"format", "entity", "map": {column: property or null}, "match", "dryRun", "leaveOutRefused"}`.
        ///
        /// - Throws: `BrowserFailure` or `InspectionError` of status 422 for invalid parts.
        init(_ parts: JSONParts, of file: UploadedFile) throws {
            request = StoreImport.Request(files: [file.url.path])
            request.format = try parts.optionalText("format").map { name in
                guard let format = ImportFormat(rawValue: name) else { throw JSONParts.missing("format") }
                return format
            }
            request.entity = try parts.optionalText("entity")
            for member in try parts.members("map") {
                switch member.value {
                case .null: request.leftOut.insert(member.key)
                case .string(let property): request.renames[member.key] = property
                default: throw JSONParts.missing("map")
                }
            }
            request.match = try parts.optionalText("match").map { try MatchRule($0) }
            request.mode = try parts.flag("dryRun") ? .dryRun : .save
            request.passesOverRefused = try parts.flag("leaveOutRefused")
        }
    }

    /// The greatest number of refused objects that are reported with the reason.
    private static let shownRefusals = 200

    /// Imports the objects of a file, all of them or none. Cancelling the task ends the import, with nothing changed.
    ///
    /// - Throws: `InspectionError` for a file that is not in the chosen format, and if the store refuses the import.
    static func importing(
        _ choice: ImportChoice, of file: UploadedFile, into target: StoreFileAccess, author: String
    ) throws -> JSONValue {
        let store = try target.opened(for: .importing)
        defer { store.close() }
        store.author = author
        var refused: [JSONValue] = []
        do {
            let report = try StoreImport(choice.request).run(
                in: store,
                refused: { record in
                    guard refused.count < shownRefusals else { return }
                    refused.append(
                        .object([
                            ("line", .count(record.line)), ("column", .text(record.column)),
                            ("reason", .string(PrintableText.escaped(record.reason, limit: 500))),
                        ]))
                }, progress: { file.progress.store($0, ordering: .relaxed) })
            guard case .members(let members) = report.json else { return report.json }
            return .members(members + [.init(key: "refusals", value: .array(refused))])
        } catch {
            throw file.named(error)
        }
    }
}
