import CoreDataSQL
import SQLiteKit

extension SQLiteStoreOpening {
    /// Makes the indexes of the model that an older version of the program did not have: they are not part of the
    /// version hashes, so that no migration makes them. Unique ones are left to migrations, since rows may be equal.
    ///
    /// A failure, such as a file that another process writes to just now, is noted and does not keep the store closed.
    func createMissingIndexes(_ file: StoreFile, _ connection: Connection) {
        guard options[CoreDataCreatesMissingIndexesOption] as? Bool == true, !file.isReadOnly else { return }
        do {
            let present = Set(try connection.catalog().indexes.map { $0.name.uppercased() })
            for index in file.schema.indexes where !index.isUnique && !present.contains(index.name.uppercased()) {
                try connection.execute(index.sql)
            }
        } catch {
            file.note("An index of its model is missing and could not be made: \(PrintableText.line("\(error)")).")
        }
    }
}
