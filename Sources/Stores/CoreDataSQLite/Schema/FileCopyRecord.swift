import CoreDataSQL
import SQLiteKit

/// The progress of an unfinished copy, in a table of its file that is dropped when the copy is complete.
struct FileCopyRecord {
    let origin: CopyOrigin
    let place: CopyPlace

    static let creation =
        "CREATE TABLE \(UnfinishedCopy.table) (\(UnfinishedCopy.columns.map { $0 + " TEXT" }.joined(separator: ", ")))"
    static let update = "UPDATE \(UnfinishedCopy.table) SET Z_PLACE = ?"

    /// Reads the record of a file; nil if the file is not an unfinished copy.
    static func read(_ connection: Connection) throws -> FileCopyRecord? {
        guard let table = try connection.catalog().table(UnfinishedCopy.table), !table.isVirtual else { return nil }
        let columns = UnfinishedCopy.columns.joined(separator: ", ")
        let row = try connection.rows("SELECT \(columns) FROM \(UnfinishedCopy.table) LIMIT 1").first
        guard let row, let name = row[0].text, let state = row[1].text, let place = row[2].text.flatMap(CopyPlace.init)
        else { return nil }
        return FileCopyRecord(origin: CopyOrigin(name: name, state: state), place: place)
    }

    func write(to connection: Connection) throws {
        try connection.execute(
            "INSERT INTO \(UnfinishedCopy.table) VALUES (?, ?, ?)",
            [.text(origin.name), .text(origin.state), .text(place.text)])
    }
}
