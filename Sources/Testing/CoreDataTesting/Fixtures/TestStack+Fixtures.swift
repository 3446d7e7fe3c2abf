import CoreData
import CoreDataExchange
import CoreDataWorkbench

/// Objects from files, as `coredata import` reads them.
extension TestStack {
    /// Imports the objects of files into the store: JSON, JSON Lines, CSV, or property lists.
    ///
    /// Each object names its entity: by a member `entity`, or by the file if `entity` is given or the file is a table,
    /// which has the name of its entity. Links lead by `objectID` within and between the files, as `coredata export`
    /// writes them. A property list is an array of dictionaries, or a dictionary of such arrays by entity. The files
    /// are imported together, wholly or not at all, and are saved.
    ///
    /// Contexts of the stack see the objects with their next fetch.
    ///
    /// - Parameter entity: the entity of objects that name none.
    /// - Returns: the number of objects.
    /// - Throws: `TestingError` with `badFixture`, which names the file, the line and the reason.
    @discardableResult
    public func load(_ files: URL..., entity: String? = nil) throws -> Int {
        let scratch = try TestFolder()
        let paths = try files.enumerated().map { index, file in
            file.pathExtension.lowercased() == "plist"
                ? try PropertyListFixture.json(file, entity: entity, in: scratch.url, number: index) : file.path
        }
        var request = ImportRequest(files: paths)
        request.entity = entity
        guard let store = container.persistentStoreCoordinator.persistentStores.first else {
            throw TestingError(.noStore, "The stack has no store.")
        }
        let open = OpenStore(
            using: store, of: container.persistentStoreCoordinator, author: nil, name: "fixtures")
        var refusals: [String] = []
        let report: ImportReport
        do {
            report = try StoreImport(request).run(
                in: open,
                refused: { record in
                    guard refusals.count < 5 else { return }
                    let name = (record.file as NSString).lastPathComponent
                    refusals.append("\(name):\(record.line): \(record.reason)")
                })
        } catch {
            throw TestingError(.badFixture, "The fixtures cannot be read: \(error)")
        }
        guard report.refused == 0 else {
            throw TestingError(
                .badFixture,
                "\(report.refused) objects of the fixtures were refused, and none was saved: "
                    + refusals.joined(separator: "; "))
        }
        return report.entities.values.reduce(0) { $0 + $1.inserted + $1.updated + $1.unchanged }
    }
}
