import CoreData

extension ImportRequest {
    /// Takes a mapping, and the pages that follow the files.
    ///
    /// - Throws: `InspectionError` for a page that cannot be got.
    package mutating func take(_ mapping: ImportMapping, fetch: (String) throws -> ImportFile) throws {
        self.mapping = mapping
        guard let next = mapping.nextPage else { return }
        let pages = ImportPages(
            next, format: format ?? mapping.format, namespaces: mapping.namespaces, encoding: mapping.encoding)
        files = try pages.all(of: files, fetch: fetch)
    }

    /// The kind of feed that the files are, and its mapping into the entity of the request.
    ///
    /// - Throws: `InspectionError` for files that are no feeds, and where no entity is named.
    package func feedMapping(
        for model: NSManagedObjectModel
    ) throws -> (feed: FeedFormat, mapping: ImportMapping) {
        guard let entity else {
            throw InspectionError(
                .badValue, subject: "feed", cause: "it needs the entity of its entries", hint: "--entity NAME")
        }
        var kinds: Set<FeedFormat> = []
        for file in files {
            if file.path != "-", let feed = try FeedFormat(file) {
                kinds.insert(feed)
                continue
            }
            throw InspectionError(
                .badValue, subject: ImportFormat.name(of: file.name),
                cause: "this is none of RSS, Atom and JSON Feed in a file that can be read twice")
        }
        guard let feed = kinds.first, kinds.count == 1 else {
            throw InspectionError(
                .badValue, subject: "feed", cause: "the files are feeds of several kinds",
                hint: "import each kind by itself")
        }
        return (feed, try feed.mapping(for: model.entity(named: entity)))
    }
}
