import CoreData

/// Reads the objects of a JSON file one by one: an array of them, or one after another as in JSON Lines.
final class JSONObjectStream: ImportSource {
    private let items: JSONItems
    private let name: String

    init(_ file: FileBlocks) { (items, name) = (JSONItems(file, paths: [DocumentPath([])]), file.name) }

    func next() throws -> ImportRecord? {
        guard let item = try items.next() else { return nil }
        var record = try ImportRecord(item.value.get(), line: item.line, of: name)
        record.size = item.size
        return record
    }
}
