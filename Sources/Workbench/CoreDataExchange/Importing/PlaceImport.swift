import CoreData

/// An import of files and URLs. URLs that have not changed since the same import was last made are not read again.
package final class PlaceImport {
    /// Where a mapping comes from.
    package enum Mapping: Sendable {
        case given(ImportMapping)
        /// The ready-made one of the feed that the first file is.
        case feed

        /// `feed`, or the path of a property list.
        ///
        /// - Throws: `InspectionError` for a mapping that is wrong.
        package init(_ word: String) throws { self = try word == "feed" ? .feed : .given(ImportMapping(file: word)) }
    }

    /// Gets what a place has; nil if that is of the known version.
    package typealias Fetch = (_ place: String, _ known: WebVersion?) throws -> ImportFile?

    private let places: [String]
    private var request: ImportRequest
    private let mapping: Mapping?
    private let fetch: Fetch
    /// What asking for a change has brought along.
    private var fetched: [String: ImportFile] = [:]

    package init(_ places: [String], _ request: ImportRequest, by mapping: Mapping? = nil, fetch: @escaping Fetch) {
        (self.places, self.request, self.mapping, self.fetch) = (places, request, mapping, fetch)
        if case .given(let mapping) = mapping { self.request.mapping = mapping }
        let isFeed = if case .feed = mapping { true } else { false }
        self.request.memory = ImportMemory(of: places, by: self.request, feed: isFeed ? "feed" : nil)
    }

    /// Fetches the files; false if none has changed since the import that a store's metadata know of.
    ///
    /// - Parameter metadata: nil to fetch them in any case.
    /// - Throws: `InspectionError` of code `unreadable` with the URL.
    package func begin(unlessKnownTo metadata: [String: Any]?) throws -> Bool {
        if let metadata, let pages = request.memory?.pages(in: metadata), !pages.isEmpty, try !haveChanged(pages) {
            return false
        }
        request.files = try places.map(file)
        return true
    }

    private func haveChanged(_ pages: [(place: String, version: WebVersion)]) throws -> Bool {
        for page in pages {
            guard let file = try fetch(page.place, page.version) else { continue }
            fetched[page.place] = file
            return true
        }
        return false
    }

    private func file(_ place: String) throws -> ImportFile {
        if let file = fetched.removeValue(forKey: place) { return file }
        guard let file = try fetch(place, nil) else {
            throw InspectionError(.unreadable, subject: place, cause: "the server sends nothing")
        }
        return file
    }

    /// The files that have been fetched.
    package var files: [ImportFile] { request.files }

    /// Finds out the mapping of a feed, and fetches the further pages of the files.
    ///
    /// - Throws: `InspectionError`.
    package func prepare(for model: NSManagedObjectModel) throws {
        guard let mapping else { return }
        switch mapping {
        case .given(let mapping): try request.take(mapping, fetch: file)
        case .feed: try request.take(request.feedMapping(for: model).mapping, fetch: file)
        }
    }

    /// The first records of what was fetched: the entity and the values of each, as texts that are cut.
    ///
    /// - Throws: `InspectionError`.
    package func firstRecords(
        _ count: Int, for model: NSManagedObjectModel
    ) throws -> [(entity: String, values: [(name: String, text: String)])] {
        let plan = try request.mapping.map { try MappingPlan($0, model) }
        guard let file = request.files.first else { return [] }
        let source = try StoreImport(request).source(file, file.blocks(), plan)
        var records: [(entity: String, values: [(name: String, text: String)])] = []
        while records.count < count, let record = try source.next() {
            guard record.failure == nil else { continue }
            let values = record.members.compactMap { member in
                ImportPreview.sample(member.value).map { (name: member.key, text: $0) }
            }
            records.append((record.entity ?? request.entity ?? "", values))
        }
        return records
    }

    /// Whether records that are refused do not stop the import.
    package var passesOverRefused: Bool { StoreImport(request).passesOverRefused }

    /// Commits what has come after a number of records; without one all together, unless refused records are passed over.
    ///
    /// - Parameter onCommit: called after each of these commits.
    func commit(each size: Int?, orWherePassingOver standard: Int, onCommit: @escaping @Sendable () -> Void) {
        request.batchSize = size ?? (passesOverRefused ? standard : nil)
        request.onCommit = onCommit
    }

    /// Imports what was fetched; calls `refused` for each refused object, and `progress` at times with the bytes read.
    ///
    /// - Throws: `InspectionError`, as `StoreImport`.
    package func run(
        in store: OpenStore, refused: (RefusedRecord) throws -> Void, progress: (Int) -> Void = { _ in }
    ) throws -> ImportReport {
        try StoreImport(request).run(in: store, refused: refused, progress: progress)
    }
}
