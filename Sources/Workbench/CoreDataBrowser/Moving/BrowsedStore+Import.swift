import CoreData
import Synchronization

/// Imports the objects of a file that a client sent into a store.
extension BrowsedStore {
    /// How the objects of a file are imported.
    struct ImportChoice: Sendable {
        var request: ImportRequest
        /// The mapping; nil for a file with objects as `export` writes them.
        var mapping: MappingChoice?

        /// Reads `{"format", "entity", "map": {column: property or null}, "match", "mapping", "dryRun",
        /// "leaveOutRefused"}`.
        ///
        /// - Throws: `BrowserFailure` or `InspectionError` of status 422 for invalid parts.
        init(_ parts: JSONParts, of file: ImportFile) throws {
            request = ImportRequest(files: [file])
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
            mapping = try parts["mapping"].flatMap { try MappingChoice($0) }
            request.sampleLimit = request.mode == .dryRun ? 20 : 0
        }

        /// The request with its mapping, and with the further pages of its file, which are downloaded.
        ///
        /// That may take long, so it is done before a store is closed or locked. Canceling the current
        /// `ReadCancellation` ends it.
        ///
        /// - Parameter access: How pages are downloaded; the file and its pages together have at most its
        ///   greatest size.
        /// - Throws: `InspectionError` for a mapping that is wrong, and for a page that cannot be got.
        func prepared(for model: NSManagedObjectModel, by access: WebAccess) throws -> ImportRequest {
            var request = self.request
            var size = request.files.reduce(0) { $0 + $1.byteCount }
            let fetch = { (place: String) throws -> ImportFile in
                var bounded = access
                bounded.greatestSize = access.greatestSize.map { max(0, $0 - size) }
                let page = try ImportFile(fetching: place, by: bounded)
                size += page.byteCount
                return page
            }
            switch mapping {
            case nil: break
            case .feed: try request.take(request.feedMapping(for: model).mapping, fetch: fetch)
            case .keys(let form): try request.take(form.mapping(), fetch: fetch)
            }
            return request
        }
    }

    /// The mapping of an import, as a client names it.
    enum MappingChoice: Sendable {
        /// The ready-made one of the feed that the file is.
        case feed
        case keys(MappingForm)

        /// `"feed"`, an object with the keys of a mapping, or the text of a property list as `{"text"}`; nil for null.
        ///
        /// - Throws: `BrowserFailure` or `InspectionError` of status 422.
        init?(_ json: JSONValue) throws {
            switch json {
            case .null: return nil
            case .string("feed"): self = .feed
            case .members(let members):
                if members.count == 1, members[0].key == "text", case .string(let text) = members[0].value {
                    self = .keys(try MappingForm(text: text))
                } else {
                    self = .keys(MappingForm(json))
                }
            default: throw JSONParts.missing("mapping")
            }
        }
    }

    /// Imports the objects of a file, all of them or none. Canceling the current `ReadCancellation` ends the import, with
    /// nothing changed.
    ///
    /// - Parameters:
    ///   - request: What `ImportChoice.prepared` makes.
    ///   - name: What the history calls the import; nil for a name of its own.
    ///   - progress: Receives the bytes read, and the bytes of all files.
    /// - Throws: `InspectionError` for a file that is not in the chosen format, and if the store refuses the import.
    static func importing(
        _ request: ImportRequest, into target: StoreFileAccess, author: String, name: String? = nil,
        progress: (Int, Int) -> Void
    ) throws -> JSONValue {
        let store = try target.opened(for: .importing)
        defer { store.close() }
        store.author = author
        store.context.name = name
        let size = request.files.reduce(0) { $0 + $1.byteCount }
        var refused = RefusedRecords()
        let report = try StoreImport(request).run(
            in: store, refused: { refused.add($0) }, progress: { progress($0, size) })
        return report.shown(refused)
    }
}
