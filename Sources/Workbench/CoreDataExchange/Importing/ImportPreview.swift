import CoreData

/// What the beginning of a file states about the objects in it: their entity, their columns, and what each may be in a model.
package struct ImportPreview: Sendable {
    /// A key of the file's objects, or a title of its table.
    package struct Column: Sendable {
        package let name: String
        /// The property that it is taken for; nil where none has such a name.
        package internal(set) var property: String?
        /// The first values, as texts that are cut.
        package internal(set) var samples: [String]
    }

    private static let records = 50
    private static let mostColumns = 500
    private static let samples = 3
    private static let longestSample = 80

    package let format: ImportFormat
    /// The entity that the objects name or whose properties they have.
    package let entity: String?
    package let columns: [Column]

    /// Reads the beginning of a file, whose name indicates its format and its entity.
    ///
    /// - Parameter entity: the entity that is meant; nil to guess it.
    /// - Throws: `InspectionError` for a file that is not of its form, or an entity that the model does not have.
    package init(
        _ file: ImportFile, as format: ImportFormat? = nil, entity given: String? = nil, for model: NSManagedObjectModel
    ) throws {
        let (name, format) = (file.nameOfPath, try format ?? file.likelyFormat())
        let source = try format.source(try file.blocks(), path: name)
        var (columns, places): ([Column], [String: Int]) = ([], [:])
        var named: String?
        for _ in 0..<Self.records {
            guard let record = try source.next() else { break }
            named = named ?? record.entity
            for member in record.members {
                let place = places[member.key] ?? columns.count
                if place == columns.count {
                    guard columns.count < Self.mostColumns else { continue }
                    places[member.key] = place
                    columns.append(Column(name: member.key, property: nil, samples: []))
                }
                if columns[place].samples.count < Self.samples, let text = Self.sample(member.value) {
                    columns[place].samples.append(text)
                }
            }
        }
        let file = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
        let entity =
            try given.map { try model.entity(named: $0) }
            ?? Self.entity(of: columns.map(\.name), named: named, file: file, in: model)
        if let entity {
            let properties = Self.settable(entity)
            for place in columns.indices {
                columns[place].property = Self.property(columns[place].name, among: properties)
            }
        }
        (self.format, self.entity, self.columns) = (format, entity?.name, columns)
    }

    /// `{"format", "entity", "columns": [{"name", "property", "samples"}]}`
    package var json: JSONValue {
        .object([
            ("format", .string(format.rawValue)), ("entity", .text(entity)),
            (
                "columns",
                .array(
                    columns.map { column in
                        .object([
                            ("name", .string(column.name)), ("property", .text(column.property)),
                            ("samples", .array(column.samples.map { .string($0) })),
                        ])
                    })
            ),
        ])
    }

    static func sample(_ value: EditValue) -> String? {
        let text: String
        switch value {
        case .null: return nil
        case .field(let own), .text(let own), .json(.string(let own)): text = own
        case .json(let json): text = JSONWriter.line(json)
        case .elements: return nil
        }
        return PrintableText.escaped(text, limit: longestSample)
    }

    private static func settable(_ entity: NSEntityDescription) -> [String] {
        let properties = entity.propertiesByName.values.filter(SettableProperty.isSettable)
        let elements = properties.compactMap { $0 as? NSCompositeAttributeDescription }.flatMap { composite in
            CompositeCoding.leaves(of: composite).map { ([composite.name] + $0.path).joined(separator: ".") }
        }
        return (properties.map(\.name) + elements).sorted()
    }

    /// The property of a column's name; case, blanks and marks between words make no difference.
    private static func property(_ column: String, among names: [String]) -> String? {
        if names.contains(column) { return column }
        let plain = plain(column)
        let found = names.filter { Self.plain($0) == plain }
        return found.count == 1 ? found[0] : nil
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The entity that the objects name, that the file is called after, or that has the most of the columns.
    private static func entity(
        of columns: [String], named: String?, file: String, in model: NSManagedObjectModel
    ) -> NSEntityDescription? {
        if let entity = named.flatMap({ model.entitiesByName[$0] }) { return entity }
        let concrete = NSManagedObjectModel.numbered(model.entities).filter { !$0.isAbstract }
        let called = plain(file)
        if let entity = concrete.first(where: { [called, String(called.dropLast())].contains(plain($0.name ?? "")) }) {
            return entity
        }
        let scores = concrete.map { entity in
            let names = settable(entity)
            return columns.count { property($0, among: names) != nil }
        }
        guard let best = scores.max(), best > 0, let place = scores.firstIndex(of: best) else { return nil }
        return concrete[place]
    }
}
