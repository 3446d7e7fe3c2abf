import CoreData

/// The lines of a CSV table as values: objects whose members are the columns, with nil for empty fields.
final class TableItems: DocumentItems {
    private let table: CSVObjectStream

    init(_ file: FileBlocks) { table = CSVObjectStream(file, entity: nil) }

    func next() throws -> DocumentItem? {
        guard let (titles, fields, line, size) = try table.nextLine() else { return nil }
        let members = zip(titles, fields).map { title, field in
            JSONValue.Member(key: title, value: field.map { .string($0) } ?? .null)
        }
        return DocumentItem(path: 0, value: .success(.members(members)), line: line, size: size)
    }
}
