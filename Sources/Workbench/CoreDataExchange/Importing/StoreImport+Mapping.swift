import CoreData

extension StoreImport.Request {
    /// Takes the mapping in a property list file, or the ready-made one of the feed that the first file is, and the pages that
    /// follow those files.
    ///
    /// - Parameter fetch: gets a page by its URL.
    /// - Throws: `InspectionError` for a mapping that is wrong, and a file that is no feed.
    package mutating func setMapping(
        _ word: String, for model: NSManagedObjectModel, fetch: (String) throws -> ImportFile
    ) throws {
        let mapping = try word == "feed" ? feedMapping(model) : ImportMapping(file: word)
        self.mapping = mapping
        guard let next = mapping.nextPage else { return }
        files = try ImportPages(next, format: format ?? mapping.format, namespaces: mapping.namespaces)
            .all(of: files, fetch: fetch)
    }

    private func feedMapping(_ model: NSManagedObjectModel) throws -> ImportMapping {
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
        return try feed.mapping(for: model.entity(named: entity))
    }
}
