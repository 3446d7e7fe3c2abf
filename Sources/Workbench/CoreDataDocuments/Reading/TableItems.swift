import CoreData

/// The lines of a CSV table as values: objects whose members are the columns, with nil for empty fields.
final class TableItems: DocumentItems {
    private let table: CSVObjectStream

    /// - Throws: `InspectionError` for several places, or one that is not the table.
    init(_ file: FileBlocks, at paths: [DocumentPath], delimiter: UInt8? = nil) throws {
        guard paths.count == 1, paths[0].steps.isEmpty else {
            throw InspectionError(
                .badValue, subject: file.name, cause: "a table has its records at one place, which has no path")
        }
        table = CSVObjectStream(file, entity: nil, delimiter: delimiter)
    }

    func next() throws -> DocumentItem? {
        guard let (titles, fields, line, size) = try table.nextLine() else { return nil }
        let members = zip(titles, fields).map { title, field in
            JSONValue.Member(key: title, value: field.map { .string($0) } ?? .null)
        }
        return DocumentItem(path: 0, value: .success(.members(members)), line: line, size: size)
    }
}
