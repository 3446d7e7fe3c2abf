import CoreData

extension StoreImport.Request {
    /// The ready-made mapping of the feeds that the files are.
    ///
    /// - Throws: `InspectionError` for a file that is no feed.
    func feedMapping(_ model: NSManagedObjectModel) throws -> ImportMapping {
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
