import CoreData

/// The sections of a list, by the values of a key path or by their first letters; no object is read.
struct ListSections: Sendable {
    /// The greatest number of sections in an answer.
    private static let limit = 10_000

    let question: ListQuestion
    let path: String
    let areLetters: Bool

    /// `{"sections": [{"name", "indexTitle", "offset", "count"}], "complete"}`; sections of a Boolean have its `value`
    /// too.
    func json(_ reading: StoreReading) throws -> JSONValue {
        // This comes before the check of the sort keys, the first of which is the path: its error would not say that
        // the path is not stored.
        try KeyRoute(path, from: reading.opened.entity(named: question.entity)).requireStored()
        let query = try question.query(reading)
        let request: NSFetchRequest<NSManagedObjectID> = reading.request(query)
        request.resultType = .managedObjectIDResultType
        // The last descriptor sorts by the primary keys, which the controller adds itself.
        request.sortDescriptors = query.sortDescriptors.dropLast()
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: reading.context, sectionNameKeyPath: path, cacheName: nil)
        controller.sectionsAreFirstLetters = areLetters
        try controller.performFetch()
        var offset = 0
        var sections: [JSONValue] = []
        let found = controller.sections ?? []
        let areFlags = BooleanSection.isNamed(by: path, of: query.entity)
        for section in found.prefix(Self.limit) {
            let flag = areFlags ? BooleanSection.value(section.name) : nil
            let name = flag.map(BooleanSection.text) ?? section.name
            let title = flag == nil ? section.indexTitle : String(name.prefix(1))
            sections.append(
                .members(
                    [
                        .init(key: "name", value: .string(name)),
                        .init(key: "indexTitle", value: .text(title)),
                        .init(key: "offset", value: .count(offset)),
                        .init(key: "count", value: .count(section.numberOfObjects)),
                    ] + (flag.map { [.init(key: "value", value: .bool($0))] } ?? [])))
            offset += section.numberOfObjects
        }
        return .object([
            ("sections", .array(sections)), ("complete", .bool(found.count <= Self.limit)), ("order", .null),
        ])
    }
}
