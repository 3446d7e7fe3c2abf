import CoreData

/// The sections of a list, by the values at the end of a path or by their first letters; no object is read.
struct ListSections: Sendable {
    /// The greatest number of sections that are handed over.
    private static let limit = 10_000

    let question: ListQuestion
    let path: String
    let areLetters: Bool

    /// `{"sections": [{"name", "indexTitle", "offset", "count"}], "complete"}`
    func json(_ reading: StoreReading) throws -> JSONValue {
        let query = try question.query(reading)
        let request: NSFetchRequest<NSManagedObjectID> = reading.request(query)
        request.resultType = .managedObjectIDResultType
        // The controller adds the keys by itself.
        request.sortDescriptors = query.sortDescriptors.dropLast()
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: reading.context, sectionNameKeyPath: path, cacheName: nil)
        controller.sectionsAreFirstLetters = areLetters
        try controller.performFetch()
        var offset = 0
        var sections: [JSONValue] = []
        let found = controller.sections ?? []
        for section in found.prefix(Self.limit) {
            sections.append(
                .object([
                    ("name", .string(section.name)), ("indexTitle", .text(section.indexTitle)),
                    ("offset", .count(offset)),
                    ("count", .count(section.numberOfObjects)),
                ]))
            offset += section.numberOfObjects
        }
        return .object([
            ("sections", .array(sections)), ("complete", .bool(found.count <= Self.limit)), ("order", .null),
        ])
    }
}
