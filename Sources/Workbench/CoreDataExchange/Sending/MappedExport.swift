import CoreData

/// Objects written as the document that a mapping reads: the other way round, so that an import of it by the same mapping finds the same.
package struct MappedExport {
    private let store: OpenStore
    private let mapping: ImportMapping
    private let records: [(rule: ImportMapping.Records, plan: RecordWriter, entity: NSEntityDescription)]
    let form: RecordFiles.Form
    private let titles: [String]

    /// - Parameters:
    ///   - format: JSON, lines of JSON or CSV.
    ///   - names: the only entities whose objects are written; all of the mapping if it is empty.
    /// - Throws: `InspectionError` for what cannot be written, with the property.
    package init(_ store: OpenStore, by mapping: ImportMapping, as format: ImportFormat, entities names: [String])
        throws
    {
        (self.store, self.mapping) = (store, mapping)
        guard mapping.encoding == nil, mapping.delimiter == nil || mapping.delimiter == UInt8(ascii: ",") else {
            throw InspectionError(
                .badValue, subject: mapping.encoding == nil ? "delimiter" : "encoding",
                cause: "documents are written in UTF-8, and tables with commas", hint: "leave it out of the mapping")
        }
        let plan = try MappingPlan(mapping, store.coordinator.managedObjectModel)
        var records: [(rule: ImportMapping.Records, plan: RecordWriter, entity: NSEntityDescription)] = []
        for part in plan.records {
            for name in part.entities.keys.sorted() where names.isEmpty || names.contains(name) {
                records.append((part.rule, try RecordWriter(part, entity: name), try store.entity(named: name)))
            }
        }
        guard Set(records.map { $0.rule.place }).count == 1, let place = records.first?.rule.place else {
            throw InspectionError(
                .badValue, subject: "mapping",
                cause: records.isEmpty ? "it has none of the entities" : "its records lie at several places",
                hint: "name the entity to write")
        }
        self.records = records
        form = try Self.form(place, format)
        titles = format == .csv ? try Self.titles(records.map(\.plan)) : []
    }

    private static func form(_ place: DocumentPath, _ format: ImportFormat) throws -> RecordFiles.Form {
        var names: [String] = []
        for step in place.steps {
            guard case .name(let name) = step, Int(name) == nil else { throw unwritable(place.text) }
            names.append(name)
        }
        switch format {
        case .xml:
            throw InspectionError(
                .badValue, subject: "mapping", cause: "documents of XML are not written",
                hint: "choose json, jsonl or csv")
        case .jsonl where names.isEmpty: return .lines
        case .csv where names.isEmpty: return .table
        case .jsonl, .csv:
            throw InspectionError(
                .badValue, subject: place.text, cause: "only a document of JSON has records at such a place",
                hint: "choose json")
        case .json:
            let head = names.map { "{" + JSONWriter.line(.string($0)) + ":" }.joined()
            return .array(head: head + "[\n", tail: "\n]" + String(repeating: "}", count: names.count) + "\n")
        }
    }

    private static func unwritable(_ path: String) -> InspectionError {
        InspectionError(
            .badValue, subject: path, cause: "a path with numbers, conditions or any name says not where to write")
    }

    private static func titles(_ writers: [RecordWriter]) throws -> [String] {
        var titles: [String] = []
        for title in try writers.flatMap({ try $0.titles() }) where !titles.contains(title) { titles.append(title) }
        return titles
    }

    /// Writes the records, a line each, below the titles of a table.
    func write(failures: @escaping (String, String) -> Void, to send: (UnsafeRawBufferPointer) throws -> Void) throws {
        func line(_ text: String) throws {
            var text = text
            try text.withUTF8 { try send(UnsafeRawBufferPointer($0)) }
        }
        if form == .table { try line(Self.row(titles)) }
        try store.readingOneState { _ in
            for (_, writer, entity) in records {
                try store.forEachObject(ObjectQuery(entity)) { record in
                    guard record.object.entity === entity else { return }
                    try ReadCancellation.check()
                    let value = try writer.value(of: record, failures: failures)
                    try line(form == .table ? row(value) : JSONWriter.line(value) + "\n")
                }
            }
        }
    }

    private func row(_ value: JSONValue) -> String {
        guard case .members(let members) = value else { return "" }
        let texts = Dictionary(members.map { ($0.key, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        return Self.row(titles.map { texts[$0] ?? nil })
    }

    /// A line of a table, in which nil is an empty field without quotes.
    private static func row(_ fields: [String?]) -> String {
        var line = ByteText()
        for (number, field) in fields.enumerated() {
            if number > 0 { line.append(UInt8(ascii: ",")) }
            if let field { Array(field.utf8).withUnsafeBytes { line.append(field: $0) } }
        }
        line.append("\r\n" as StaticString)
        return line.string
    }
}
