import CoreDataGraph

/// Finds source numbers that do not fit the new types of their attributes, before any destination object is created.
///
/// Runs for inferred mapping models, whose expressions copy values. The expressions of a mapping model that a program
/// wrote decide themselves how to convert numbers.
struct NumberReview {
    private static let objectsAtOnce = 1_000

    private let session: MigrationSession

    init(_ session: MigrationSession) { self.session = session }

    /// A number whose type changes: an attribute, or an element of a composite attribute, of the entity that declares
    /// it.
    private struct Element: Hashable {
        let entity: String
        let name: String
        let conversion: NumberConversion
        /// The attribute in the source model, and the path to the element in its value.
        let origin: String
        let path: [String]
    }

    private typealias Row = (key: Int, name: String)

    /// - Throws: `NSMigrationError` for the first attribute with such numbers, with their rows and their number.
    func run() throws {
        var found: [(element: Element, rows: [Row])] = []
        for step in session.steps where step.hasSources {
            for element in elements(of: step) {
                let rows = try misfits(of: element, in: step)
                if let place = found.firstIndex(where: { $0.element == element }) {
                    found[place].rows += rows
                } else {
                    found.append((element, rows))
                }
            }
        }
        for (element, rows) in found where !rows.isEmpty {
            let sorted = rows.sorted { ($0.key, $0.name) < ($1.key, $1.name) }
            throw NumberMisfits(
                entity: element.entity, attribute: element.name, conversion: element.conversion, count: rows.count,
                rows: sorted.prefix(NumberMisfits.namedRows).map(\.name)
            ).error(at: session.sourcePlace)
        }
    }

    private func elements(of step: EntityStep) -> [Element] {
        guard let old = entity(step.mapping.sourceEntityName, session.source),
            let new = entity(step.mapping.destinationEntityName, session.destination)
        else { return [] }
        return (step.mapping.attributeMappings ?? []).flatMap { property -> [Element] in
            let key = MappingExpressions.takenKey(of: property.valueExpression)
            guard let origin = key.flatMap({ old.attributesByName[$0] }),
                let attribute = property.name.flatMap({ new.attributesByName[$0] })
            else { return [] }
            return CompositeMatching.conversions(of: attribute, from: origin).filter(\.conversion.mayRefuse).map {
                Element(
                    entity: attribute.entity?.name ?? new.name ?? "",
                    name: ([attribute.name] + $0.path).joined(separator: "."), conversion: $0.conversion,
                    origin: origin.name, path: $0.origin.path)
            }
        }
    }

    private func entity(_ name: String?, _ stack: MigrationStack) -> NSEntityDescription? {
        name.flatMap { stack.model.entitiesByName[$0] }
    }

    private func misfits(of element: Element, in step: EntityStep) throws -> [Row] {
        let request = NSFetchRequest<NSManagedObject>(entityName: step.mapping.sourceEntityName ?? "")
        request.includesSubentities = false
        var rows: [Row] = []
        try FetchedObjects<NSManagedObject>(session.source.context, request, batchSize: Self.objectsAtOnce)
            .enumerateObjects { object in
                let value = element.path.reduce(object.value(forKey: element.origin)) { ($0 as? [String: Any])?[$1] }
                guard let value, element.conversion.converted(value) == nil else { return }
                let last = object.objectID.uriRepresentation().lastPathComponent
                rows.append((Int(last.dropFirst()) ?? 0, "\(object.entity.name ?? "")/\(last)"))
            }
        try session.source.checkReading()
        session.refresh(Self.objectsAtOnce)
        return rows
    }
}
